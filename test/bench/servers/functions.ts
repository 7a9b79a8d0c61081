/**
 * The functions as built for Lambda, in a process without database and upstream: each request becomes an event, and its answer goes
 * to a stream as the runtime's is. The work around the function counts against it, though in AWS others do it.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { functionNameOf, operations } from '../../../lib/core/operations.ts';
import type { Invocation } from '../../../server/http/handle-request.ts';
import type { ResponseStream } from '../../../server/http/response-stream.ts';
import { startServer } from '../../../server/http/server.ts';
import { announce } from './announce.ts';

const bundles = process.env.BENCH_BUNDLES;
if (bundles === undefined) throw new Error('BENCH_BUNDLES is missing.');

type Head = Parameters<ResponseStream['begin']>[0];
type Run = (event: object, stream: ResponseStream, context: object) => Promise<unknown>;

// A function wraps its handler while it loads.
Reflect.set(globalThis, 'awslambda', {
  streamifyResponse: (run: Run) => run,
  HttpResponseStream: {
    from(stream: ResponseStream, head: Head): ResponseStream {
      stream.begin(head);
      return stream;
    },
  },
});

const handlers = new Map<string, Run>();
for (const operation of operations) {
  const program = join(bundles, functionNameOf(operation), 'index.mjs');
  const { handler } = await import(pathToFileURL(program).href);
  handlers.set(operation.name, handler);
}

const timeMs = 300_000;

async function invoke({ operation, request, response, requestId }: Invocation): Promise<void> {
  const { method, path, template, pathParameters, query, body, sourceIp } = request;
  const { headers, headersDistinct } = response.req;
  const event = {
    resource: template,
    path,
    httpMethod: method,
    headers,
    multiValueHeaders: headersDistinct,
    multiValueQueryStringParameters: query,
    pathParameters,
    requestContext: { requestId, path, identity: { sourceIp } },
    body,
    isBase64Encoded: false,
  };
  const deadline = Date.now() + timeMs;
  const context = { awsRequestId: requestId, getRemainingTimeInMillis: () => deadline - Date.now() };
  await handlers.get(operation.name)?.(event, response, context);
}

const { url } = await startServer({ operations, invoke, port: 0 });
process.on('SIGINT', () => process.exit(0));

announce({ url });
