/** The answer to a HEAD request. */
import { Writable } from 'node:stream';
import type { HttpAnswer } from '../respond.ts';

/** A body that is made while it is sent is read to its end, which reports how the request ended. */
export async function withoutBody(answer: HttpAnswer): Promise<HttpAnswer> {
  const nowhere = new Writable({ decodeStrings: false, write: (_chunk, _encoding, done) => done() });
  if (typeof answer.body !== 'string') await answer.body.sendTo(nowhere);
  return { ...answer, body: '' };
}
