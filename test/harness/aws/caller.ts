/** Requests as API Gateway hands them to the function of an operation. */
import { type OperationName, operationNamed } from '../../../lib/core/operations.ts';

export interface CallerRequest {
  readonly body?: object;
  readonly query?: Readonly<Record<string, string>>;
  /** Values of the segments of the path. */
  readonly path?: Readonly<Record<string, string>>;
  /** Of the answer; 200 without it. */
  readonly status?: number;
}

interface Sent {
  /** The path with its segments in braces. */
  readonly resource: string;
  readonly method: string;
  readonly bearer: string;
  readonly request: CallerRequest;
}

export function requestEvent({ resource, method, bearer, request: { body, query, path = {} } }: Sent) {
  return {
    resource,
    path: resource.replaceAll(/\{(\w+)\+?\}/g, (_, segment: string) => path[segment] ?? ''),
    httpMethod: method,
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query
      ? Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))
      : null,
    pathParameters: path,
    requestContext: { requestId: 'request-1' },
    isBase64Encoded: false,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  };
}

export function eventOf(name: OperationName, bearer: string, request: CallerRequest) {
  const { path: resource, method } = operationNamed(name);
  return requestEvent({ resource, method, bearer, request });
}
