/**
 * The stream to which a function writes its answer: the response itself. Node writes a chunk as its length, a line end, the content
 * and a line end, four pieces in a vectored write; here a text and its frame are one string, in one plain write. For an event of a
 * stream that comes alone, the write is a quarter of what it costs.
 */

import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpAnswer } from '../../lib/http/respond.ts';
import { afterBody } from './after-body.ts';
import { ServerResponse } from './node-http.ts';

type Head = Omit<HttpAnswer, 'body'>;

type Done = (error?: Error | null) => void;
type Chunk = string | Uint8Array;

const lastFrame = '0\r\n\r\n';

export class ResponseStream<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  #isFramed = false;
  /** The body of the request is read as it comes, so that an answer may be there before its end. */
  mayBeEarly = false;
  #isEarly = false;

  /** Sets status and headers, which leave with the first write, even if that is empty. */
  begin({ statusCode, headers, multiValueHeaders }: Head): void {
    this.#isEarly = this.mayBeEarly && !this.req.complete;
    if (this.#isEarly) this.shouldKeepAlive = false;
    this.writeHead(statusCode, { ...headers, ...(multiValueHeaders as OutgoingHttpHeaders) });
    // Node would write the frames otherwise. It is false for clients that take none (HTTP/1.0) and where there is no body.
    this.#isFramed = this.chunkedEncoding;
    this.chunkedEncoding = false;
  }

  override write(chunk: Chunk, done?: Done): boolean;
  override write(chunk: Chunk, encoding: BufferEncoding, done?: Done): boolean;
  override write(chunk: Chunk, second?: BufferEncoding | Done, third?: Done): boolean {
    const done = typeof second === 'function' ? second : third;
    const encoding = typeof second === 'string' ? second : 'utf8';
    if (chunk.length === 0) return this.#writeInTurn('', done);
    if (!this.#isFramed) return super.write(chunk, encoding, done);
    if (typeof chunk === 'string' && encoding === 'utf8') return this.#writeInTurn(frame(chunk), done);
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    super.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
    super.write(bytes);
    return super.write('\r\n', 'latin1', done);
  }

  override end(done?: () => void): this;
  override end(chunk: Chunk, done?: () => void): this;
  override end(chunk: Chunk, encoding: BufferEncoding, done?: () => void): this;
  override end(
    first?: Chunk | (() => void),
    second?: BufferEncoding | (() => void),
    third?: () => void,
  ): this {
    const done = [first, second, third].find((one) => typeof one === 'function');
    const encoding = typeof second === 'string' ? second : 'utf8';
    const chunk = typeof first === 'function' ? undefined : first;
    if (this.#isEarly) {
      this.#isEarly = false;
      if (chunk !== undefined && chunk.length > 0) this.write(chunk, encoding);
      afterBody(this.req, () => this.end(done as () => void));
      return this;
    }
    if (!this.#isFramed || this.writableEnded) {
      return chunk === undefined ? super.end(done) : super.end(chunk, encoding, done);
    }
    if (chunk !== undefined && chunk.length > 0) this.write(chunk, encoding);
    return super.end(lastFrame, 'latin1', done);
  }

  #writeInTurn(text: string, done: Done = () => {}): boolean {
    if (this.socket) corkForTurn(this.socket);
    return super.write(text, 'utf8', done);
  }
}

/** Those that are written to in this turn of the event loop. */
const corked: Socket[] = [];

/**
 * What a turn writes leaves at its end, one write for each socket, all of them one after the other: between them, code and data of
 * what else a turn does would take their caches. For paced streams at the same time that is a tenth of what a piece costs.
 */
function corkForTurn(socket: Socket): void {
  socket.cork();
  if (corked.push(socket) === 1) setImmediate(uncorkAll);
}

function uncorkAll(): void {
  for (const socket of corked.splice(0)) socket.uncork();
}

const frame = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
