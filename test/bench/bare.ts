/**
 * The baseline: hands each request on to the upstream and the answer back, over kept connections, and reads neither. What
 * it costs is what any proxy on Node costs that is written in the ordinary way.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { Agent, request as send } from 'undici';
import { announce, listen } from './servers/announce.ts';

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

async function handOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
  handOn(request, response).catch(() => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
});

announce({ url: await listen(server) });
