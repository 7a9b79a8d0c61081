/** A request that the gateway makes of one of its own operations, for a caller who sent its body earlier. */
import { type OperationName, operationNamed } from '../lib/core/operations.ts';
import type { HttpRequest } from '../lib/http/request/http-request.ts';

export function ownRequest(
  operation: OperationName,
  given: Readonly<Record<string, string>>,
  body: HttpRequest['body'],
): HttpRequest {
  const { method, path } = operationNamed(operation);
  const headers: Readonly<Record<string, string>> = { ...given, 'content-type': 'application/json' };
  const header = (name: string) => headers[name];
  return {
    method,
    path,
    template: path,
    pathParameters: {},
    query: {},
    header,
    headerValues: (name) => [header(name)].filter((value) => value !== undefined),
    body,
    sourceIp: '',
  };
}
