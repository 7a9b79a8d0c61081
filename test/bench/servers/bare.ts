/**
 * The baseline: forwards each request to the upstream and the answer back, over keep-alive connections, and reads neither.
 * It costs what any plain proxy on Node costs.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { Agent, request as send } from 'undici';
import { announce, listen } from './announce.ts';

const upstream = process.env.BENCH_UPSTREAM_URL;
if (upstream === undefined) throw new Error('BENCH_UPSTREAM_URL is missing.');

const dispatcher = new Agent({ pipelining: 1, keepAliveTimeout: 30_000 });

/** Headers that belong to one connection. */
const ownHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'host'];

function withoutOwn(headers: NodeJS.Dict<string | string[]>): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !ownHeaders.includes(name)) kept[name] = value;
  }
  return kept;
}

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const client = new AbortController();
  response.once('close', () => client.abort());
  const answer = await send(`${upstream}${request.url}`, {
    method: 'POST',
    headers: withoutOwn(request.headers),
    body: request,
    dispatcher,
    signal: client.signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  response.writeHead(answer.statusCode, withoutOwn(answer.headers));
  // Status and headers leave before the first token.
  response.flushHeaders();
  pipeline(answer.body, response, () => {});
}

const server = createServer({ noDelay: true, keepAliveTimeout: 65_000 }, (request, response) => {
  forward(request, response).catch(() => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
});

announce({ url: await listen(server) });
