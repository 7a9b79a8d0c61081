/** Reads a complete response body, within a size limit. */
import { GatewayError } from '../core/errors/errors.ts';
import type { HttpResponse } from '../core/ports/http.ts';
import { answerFactor, takeForAnswer } from './answer-memory.ts';

const decoder = new TextDecoder();

/** The body as UTF-8 text. Rejects with `upstream_invalid_answer` above the limit, and with the body's own error. */
export const readBody = (response: HttpResponse, limitBytes: number): Promise<string> =>
  readBytes(response, limitBytes).then((bytes) => {
    if (bytes) return decoder.decode(bytes);
    throw new GatewayError('upstream_invalid_answer', 'The provider returned a response that is too large.', {
      upstreamStatus: response.status,
      mayRetry: false,
    });
  });

/** The body, or undefined if it has more bytes than the limit, or takes longer. Reading stops there. */
export async function readBytesInTime(
  response: HttpResponse,
  limitBytes: number,
  limitMs: number,
): Promise<Uint8Array | undefined> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    // The body has one reader: this ends the loop that waits for its next chunk.
    void response.body[Symbol.asyncIterator]().return?.();
  }, limitMs);
  try {
    const bytes = await readBytes(response, limitBytes);
    return isLate ? undefined : bytes;
  } finally {
    clearTimeout(timer);
  }
}

/** The body, or undefined if it has more bytes than the limit. Reading stops there. */
export async function readBytes(response: HttpResponse, limitBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  // As a whole where its length is known: answers that come together, and each take a part, would all end without the rest.
  let taken = Math.min(Number(response.headers['content-length'] ?? 0), limitBytes);
  takeForAnswer(response, taken, answerFactor);
  for await (const chunk of response.body) {
    total += chunk.length;
    if (total > limitBytes) return undefined;
    takeForAnswer(response, Math.max(0, total - taken), answerFactor);
    taken = Math.max(taken, total);
    chunks.push(chunk);
  }
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}

/** The response, whose body was read, with that body. */
export const withBody = (response: HttpResponse, text: string): HttpResponse => ({
  ...response,
  body: bytesOf(text),
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
