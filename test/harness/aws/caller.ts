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

export function eventOf(name: OperationName, apiKey: string, { body, query, path = {} }: CallerRequest) {
  const { path: resource, method } = operationNamed(name);
  const filled = resource.replaceAll(/\{(\w+)\+?\}/g, (_, segment: string) => path[segment] ?? '');
  return {
    resource,
    path: filled,
    httpMethod: method,
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query
      ? Object.fromEntries(Object.entries(query).map(([key, value]) => [key, [value]]))
      : null,
    pathParameters: path,
    requestContext: { requestId: 'request-1' },
    isBase64Encoded: false,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  };
}
