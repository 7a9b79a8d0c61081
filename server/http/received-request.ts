/** The request that a handler gets, from one of Node's HTTP server. */
import type { IncomingMessage } from 'node:http';
import type { Route } from '../../lib/core/find-route.ts';
import { isForm } from '../../lib/http/request/form-type.ts';
import type { HttpRequest } from '../../lib/http/request/http-request.ts';
import type { Target } from './request-target.ts';

interface Received {
  readonly request: IncomingMessage;
  readonly url: Target;
  readonly route: Route;
  /** As received; absent where it is read as it comes. */
  readonly body?: Buffer;
  readonly arriving?: HttpRequest['arriving'];
  /** The address of the client. */
  readonly sourceIp: string;
}

export function receivedRequest({ request, url, route, body, arriving, sourceIp }: Received): HttpRequest {
  const { rawHeaders } = request;
  const headers = lastOfEach(rawHeaders);
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    template: route.template,
    pathParameters: route.pathParameters,
    query: groupQuery(url.searchParams),
    header: (name) => headers.get(name),
    headerValues: (name) => valuesOf(rawHeaders, name),
    body: body && isEncoded(request) ? body : (body?.toString() ?? ''),
    ...(arriving && { arriving }),
    sourceIp,
  };
}

/** Whether the body is compressed, or a form, so that it is passed on as bytes. */
export function isEncoded(request: IncomingMessage): boolean {
  return request.headers['content-encoding'] !== undefined || isFormRequest(request);
}

export const isFormRequest = ({ headers }: IncomingMessage): boolean => isForm(() => headers['content-type']);

/** The last value of each header, by its name in lower case. */
function lastOfEach(raw: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    headers.set((raw[index] ?? '').toLowerCase(), raw[index + 1] ?? '');
  }
  return headers;
}

const valuesOf = (raw: readonly string[], name: string): readonly string[] =>
  raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);

function groupQuery(parameters: URLSearchParams): HttpRequest['query'] {
  if (parameters.size === 0) return {};
  return Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]));
}
