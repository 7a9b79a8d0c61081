/**
 * The mock upstream, a process of its own: answers in every protocol with what the request asks for, from bytes that are built once.
 * A stream is sent in one write, or piece by piece at its pace; the first piece is sent immediately.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { protocols } from '../protocols/all.ts';
import { type Protocol, readWork, writePieces } from '../protocols/protocol.ts';
import { responsesProtocol } from '../protocols/responses.ts';
import { announce, listen } from './announce.ts';

interface Prepared {
  readonly body: Buffer;
  readonly stream: Buffer;
  /** What is written at each turn of a paced stream. */
  readonly parts: readonly Buffer[];
}

const prepared = new Map<string, Prepared>();

function prepare(protocol: Protocol, count: number): Prepared {
  const name = `${protocol.name} ${count}`;
  const known = prepared.get(name);
  if (known) return known;
  const texts = writePieces(count);
  const { before, pieces, after } = protocol.stream(texts);
  const [first = '', ...others] = pieces;
  const parts = [before + first, ...others, after].map((text) => Buffer.from(text));
  const made = {
    body: Buffer.from(JSON.stringify(protocol.body(texts))),
    stream: Buffer.concat(parts),
    parts,
  };
  prepared.set(name, made);
  return made;
}

/** The first whose base a path begins with. */
const served: readonly Protocol[] = [responsesProtocol, ...protocols];

function answer(url: string, body: Buffer, response: ServerResponse): void {
  const protocol = served.find(({ base }) => url.startsWith(base));
  if (!protocol) throw new Error(`No protocol is served at ${url}.`);
  const { pieces, paceMs } = readWork(body);
  const { parts, ...whole } = prepare(protocol, pieces);
  if (!url.includes(':stream') && !body.includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.body.length });
    response.end(whole.body);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  if (paceMs === 0) response.end(whole.stream);
  else pace(response, parts, paceMs);
}

function pace(response: ServerResponse, parts: readonly Buffer[], paceMs: number): void {
  let next = 0;
  const write = () => {
    response.write(parts[next]);
    next += 1;
    if (next < parts.length) return;
    clearInterval(timer);
    response.end();
  };
  const timer = setInterval(write, paceMs);
  response.once('close', () => clearInterval(timer));
  write();
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

const server = createServer({ noDelay: true, keepAliveTimeout: 65_000 }, async (request, response) => {
  try {
    answer(request.url ?? '', await read(request), response);
  } catch (thrown) {
    response.writeHead(500).end(String(thrown));
  }
});

announce({ url: await listen(server) });
