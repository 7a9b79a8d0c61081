/**
 * What the HTTP room takes from a Lambda proxy event, with API Gateway's oddities settled.
 */
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { GatewayError } from '../core/errors.ts';
import { isJsonObject } from '../core/json-object.ts';

/** The Lambda context; `signal` is set by the local gateway alone: Lambda does not tell that a caller has left. */
export type InvocationContext = Context & { readonly signal?: AbortSignal };

/** A header's value whatever the case of its name. */
export function header(event: APIGatewayProxyEvent, name: string): string | undefined {
  const headers = event.headers ?? {};
  const direct = headers[name];
  if (direct !== undefined) return direct;
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : headers[key];
}

export function requestIdOf(event: APIGatewayProxyEvent, context: InvocationContext): string {
  return event.requestContext?.requestId ?? context.awsRequestId;
}

/**
 * What a request without a body says: its query and, above it, the parameters of its path. A value that comes several
 * times, or whose name ends with brackets as the SDKs write lists, is a list.
 */
export function parameters(event: APIGatewayProxyEvent): unknown {
  const query = Object.entries(event.multiValueQueryStringParameters ?? {}).map(([written, values = []]) => {
    const name = written.replace(/(\[\]|%5B%5D)$/i, '');
    return [name, name === written && values.length === 1 ? values[0] : values];
  });
  return { ...Object.fromEntries(query), ...event.pathParameters };
}

const deepest = 100;

/** The parsed JSON object of a request's body. */
export function jsonBody(event: APIGatewayProxyEvent): unknown {
  const type = header(event, 'content-type') ?? '';
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new GatewayError(
      'unsupported_media_type',
      "The request body must be JSON: set the header 'Content-Type: application/json'.",
    );
  }
  const body = parse(bodyText(event));
  if (!isJsonObject(body)) {
    throw new GatewayError('invalid_request', 'The request body must be a JSON object.');
  }
  refuseOddities(body, '', 1);
  return body;
}

function bodyText(event: APIGatewayProxyEvent): string {
  if (!event.isBase64Encoded) return event.body ?? '';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(event.body ?? '', 'base64'));
  } catch {
    throw new GatewayError('invalid_request', 'The request body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the body: only the position is taken from it.
    const position = / \(line \d+ column \d+\)$/.exec(error instanceof Error ? error.message : '')?.[0] ?? '';
    const message =
      text === '' ? 'The request body is empty.' : `The request body is not valid JSON${position}.`;
    throw new GatewayError('invalid_request', message);
  }
}

/** Refuses what no honest request holds and what later code should not have to think of. */
function refuseOddities(value: unknown, path: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > deepest) {
    throw new GatewayError('invalid_request', `The request body is nested deeper than ${deepest} levels.`, {
      param: path.split('.')[0],
    });
  }
  for (const [key, item] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') {
      throw new GatewayError('invalid_request', "The key '__proto__' is not allowed.", { param: at });
    }
    refuseOddities(item, at, depth + 1);
  }
}
