/** A response that keeps what is written to it, and takes it at the pace of a client. */
import { Writable } from 'node:stream';
import type { StreamedBody } from '../../lib/http/streamed-body.ts';

interface SeenResponse extends Writable {
  /** Each write, in order, but the empty one that sends the head. */
  readonly pieces: readonly string[];
}

/** `take`: resolves when the client has taken a piece; at once if absent. */
export function seenResponse(take?: (piece: string) => Promise<unknown>): SeenResponse {
  const pieces: string[] = [];
  const response = new Writable({
    decodeStrings: false,
    write(piece: string, _encoding, done) {
      if (piece !== '') pieces.push(piece);
      if (take && piece !== '') take(piece).then(() => done(), done);
      else done();
    },
  });
  return Object.assign(response, { pieces });
}

/** What a body writes when it is read without pauses. */
export async function piecesOf(body: StreamedBody | string): Promise<readonly string[]> {
  if (typeof body === 'string') return [body];
  const response = seenResponse();
  await body.sendTo(response);
  return response.pieces;
}
