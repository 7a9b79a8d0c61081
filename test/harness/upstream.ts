/** A provider on loopback that answers as a test scripts it, and records the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { end, listen } from './listening.ts';

export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as it was sent; that of a form is only here. */
  readonly text: string;
  readonly bytes: Buffer;
  /** Resolves when the exchange is over: true when the answer had been given whole. */
  readonly over: Promise<boolean>;
}

export type UpstreamScript = (request: UpstreamRequest, response: ServerResponse) => void | Promise<void>;

export interface Upstream {
  readonly url: string;
  readonly requests: readonly UpstreamRequest[];
  /** All requests since the start. */
  readonly total: number;
  /** The answer to all further requests, until the next call. Clears the recorded requests. */
  script(script: UpstreamScript): void;
  close(): Promise<void>;
}

const isForm = ({ headers }: IncomingMessage) =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)/.test(headers['content-type'] ?? '');

export async function startUpstream(): Promise<Upstream> {
  let current: UpstreamScript = (_request, response) => void response.writeHead(500).end();
  let requests: UpstreamRequest[] = [];
  let total = 0;
  const server = createServer({ keepAliveTimeout: 65_000 }, async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const text = bytes.toString();
    const over = new Promise<boolean>((resolve) => {
      response.on('close', () => resolve(response.writableFinished));
    });
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: text === '' || isForm(incoming) ? {} : JSON.parse(text),
      text,
      bytes,
      over,
    };
    requests.push(request);
    total += 1;
    await current(request, response);
  });
  const url = await listen(server);
  return {
    url,
    get requests() {
      return requests;
    },
    get total() {
      return total;
    },
    script(script) {
      current = script;
      requests = [];
    },
    close: () => end(server),
  };
}

/** A script that answers with one JSON body. */
export function answerJson(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): UpstreamScript {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** A script that answers with server-sent events: each value is one `data:`. */
export function answerEvents(events: readonly unknown[], { done = true } = {}): UpstreamScript {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end(done ? 'data: [DONE]\n\n' : '');
  };
}

/** Writes a piece. Resolves when there is room for more, or when no one reads any longer. */
export async function writePiece(response: ServerResponse, piece: string | Buffer): Promise<void> {
  if (response.write(piece)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const events = ['drain', 'close'];
  for (const event of events) response.once(event, resolve);
  await promise;
  for (const event of events) response.off(event, resolve);
}
