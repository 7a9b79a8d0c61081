/** Events of API Gateway, as it hands a request to the function of an operation. */
import { type OperationName, operationNamed } from '../../../lib/core/operations.ts';

interface Sent {
  /** The path with its segments in braces. */
  readonly resource: string;
  readonly method: string;
  readonly bearer: string;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Values of the segments of the path. */
  readonly path?: Readonly<Record<string, string>> | undefined;
}

/** API Gateway's id, which a caller may choose. */
export const chosenRequestId = 'request-1';

export function requestEvent({ resource, method, bearer, body, headers, query, path = {} }: Sent) {
  const called = resource.replaceAll(/\{(\w+)\+?\}/g, (_, segment: string) => path[segment] ?? '');
  return {
    resource,
    path: called,
    httpMethod: method,
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query
      ? Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))
      : null,
    pathParameters: path,
    requestContext: { requestId: chosenRequestId, path: called, identity: { sourceIp: '203.0.113.1' } },
    isBase64Encoded: false,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  };
}

export function operationEvent(name: OperationName, sent: Omit<Sent, 'resource' | 'method'>) {
  const { path: resource, method } = operationNamed(name);
  return requestEvent({ resource, method, ...sent });
}
