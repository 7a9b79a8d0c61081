/** Requests as handlers read them, and handlers, without a server or Lambda. */
import type { Writable } from 'node:stream';
import type { Handler, HttpRequest, RequestHost } from '../../lib/http/request/http-request.ts';

interface Given extends Partial<Omit<HttpRequest, 'header' | 'headerValues'>> {
  /** By their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const httpRequest = ({ headers = {}, ...given }: Given = {}): HttpRequest => ({
  method: 'POST',
  path: '/',
  template: '/',
  pathParameters: {},
  query: {},
  header: (name) => headers[name],
  headerValues: (name) => [headers[name]].filter((value) => value !== undefined),
  body: '',
  sourceIp: '127.0.0.1',
  ...given,
});

/** A handler that writes its answer, of status 200, itself. */
export const writing =
  (write: (stream: Writable, request: HttpRequest, host: RequestHost) => Promise<unknown>): Handler =>
  async (request, host) => ({
    statusCode: 200,
    headers: {},
    body: { sendTo: async (stream) => void (await write(stream, request, host)) },
  });
