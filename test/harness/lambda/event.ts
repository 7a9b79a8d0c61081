/** Events of API Gateway, as it hands a request to the function of an operation. */
import { type OperationName, operationNamed } from '../../../lib/core/operations.ts';
import { servedFunctions } from '../../../lib/core/served-functions.ts';
import { formBytes, formType } from '../form.ts';

interface Sent {
  /** The path with its segments in braces. */
  readonly resource: string;
  readonly method: string;
  readonly bearer: string;
  readonly body?: object | undefined;
  /** In place of a body: a form, whose first field is a file. */
  readonly form?: Readonly<Record<string, string>> | undefined;
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
  const operation = operationNamed(name);
  const event = requestEvent({ resource: operation.path, method: operation.method, ...sent });
  const asked = operation.function === undefined ? event : { ...event, ...greedy(event.path) };
  return sent.form ? { ...asked, ...formEvent(event.headers, sent.form) } : asked;
}

/** As API Gateway names a path of a function that serves a group. */
function greedy(path: string) {
  const paths = servedFunctions.flatMap((served) => served.paths);
  if (paths.includes(path)) return { resource: path, pathParameters: {} };
  const found = paths.find((one) => path.startsWith(one.replace('{proxy+}', '')) && one.endsWith('{proxy+}'));
  if (!found) throw new Error(`No function serves ${path}.`);
  const proxy = path.slice(found.length - '{proxy+}'.length);
  return { resource: found, pathParameters: { proxy } };
}

function formEvent(headers: object, form: Readonly<Record<string, string>>) {
  const parts = Object.entries(form).map(([name, value], index) => ({
    name,
    value,
    ...(index === 0 && { filename: 'file' }),
  }));
  return {
    headers: { ...headers, 'content-type': formType },
    isBase64Encoded: true,
    body: formBytes(...parts).toString('base64'),
  };
}
