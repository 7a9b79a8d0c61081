/**
 * How middy runs a function: as its own mode for streamed responses does, but that the answer is written straight to the runtime's
 * stream, without a stream of its own in between. Each event of an answer passes here.
 */
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { HttpAnswer } from '../respond.ts';
import { sendBody } from '../send-body.ts';

/** What middy gives to a mode. */
interface Middy {
  readonly middyRequest: (event: APIGatewayProxyEvent, context: Context) => object;
  readonly runRequest: (
    request: object,
    before: unknown,
    handler: unknown,
    after: unknown,
    onError: unknown,
    plugin: Plugin,
  ) => Promise<HttpAnswer>;
}

interface Plugin {
  readonly requestStart: (request: object) => void;
  readonly requestEnd: (request: object) => unknown;
}

type Given = [Middy, before: unknown, handler: unknown, after: unknown, onError: unknown, plugin: Plugin];

/** Its type in middy has no parameters. */
export function executionModeDirect(...given: unknown[]) {
  const [{ middyRequest, runRequest }, before, , after, onError, plugin] = given as Given;
  let handler = given[2];
  const run = awslambda.streamifyResponse(async (event: APIGatewayProxyEvent, stream, context) => {
    const request = middyRequest(event, context);
    plugin.requestStart(request);
    const { body, ...head } = await runRequest(request, before, handler, after, onError, plugin);
    await sendBody(body, awslambda.HttpResponseStream.from(stream, head));
    await plugin.requestEnd(request);
  });
  return Object.assign(run, {
    handler(given: unknown) {
      handler = given;
      return run;
    },
  });
}
