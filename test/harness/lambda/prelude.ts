/**
 * Takes a streamed answer of a function apart: a JSON prelude, eight zero bytes, then the body as it comes.
 */
import type { IncomingMessage } from 'node:http';

/** One piece of the body. */
interface ArrivedChunk {
  /** When it arrived, in milliseconds of `performance.now()`. */
  readonly at: number;
  readonly data: Buffer;
}

export interface StreamedAnswer {
  readonly contentType: string;
  /** The bytes before the delimiter, exactly as sent; empty where the function failed before it began. */
  readonly preludeBytes: Buffer;
  readonly prelude: Readonly<Record<string, unknown>> | undefined;
  readonly chunks: AsyncIterable<ArrivedChunk>;
  /** Lower-case names. Complete only once `chunks` has been read. */
  trailers(): NodeJS.Dict<string>;
}

const delimiter = Buffer.alloc(8);

const integrationType = 'application/vnd.awslambda.http-integration-response';

/** Reads up to the delimiter; the rest is read as the caller iterates. */
export async function readStreamedAnswer(request: IncomingMessage): Promise<StreamedAnswer> {
  const contentType = request.headers['content-type'] ?? '';
  const parts = request.iterator({ destroyOnReturn: false });
  const head = contentType === integrationType ? await readHead(parts) : undefined;
  return {
    contentType,
    preludeBytes: head?.prelude ?? Buffer.alloc(0),
    prelude: head && JSON.parse(head.prelude.toString('utf8')),
    chunks: readChunks(parts, head?.rest),
    trailers: () => request.trailers,
  };
}

async function readHead(parts: AsyncIterator<Buffer>): Promise<{ prelude: Buffer; rest: Buffer }> {
  let read = Buffer.alloc(0);
  for (;;) {
    const end = read.indexOf(delimiter);
    if (end >= 0) return { prelude: read.subarray(0, end), rest: read.subarray(end + delimiter.length) };
    const { value, done } = await parts.next();
    if (done) throw new Error('The answer ended inside its prelude.');
    read = Buffer.concat([read, value]);
  }
}

async function* readChunks(parts: AsyncIterator<Buffer>, rest?: Buffer): AsyncGenerator<ArrivedChunk> {
  if (rest !== undefined && rest.length > 0) yield { at: performance.now(), data: rest };
  for (;;) {
    const { value, done } = await parts.next();
    if (done) return;
    yield { at: performance.now(), data: value };
  }
}

/** The bytes of the chunks. */
export async function* dataOf(chunks: StreamedAnswer['chunks']): AsyncGenerator<Uint8Array> {
  for await (const { data } of chunks) yield data;
}
