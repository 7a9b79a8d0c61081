/** Cursors of lists of requests: a position in the ledger, and which question it is of. Nothing in them is secret. */
import { createHash } from 'node:crypto';

const positionLength = 12;

/** A time with milliseconds, then the id of a request or nothing. */
const position = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z(#.{1,128})?$/s;

/** What a cursor is of: the same question has the same one. */
export const markOf = (question: object): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, positionLength);

export const writeCursor = (mark: string, next: string): string =>
  Buffer.from(`${mark}${next}`).toString('base64url');

/** Undefined for a cursor of another question, or what is none. */
export function readCursor(mark: string, cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString();
  const next = text.slice(mark.length);
  const isValid = position.test(next) && !Number.isNaN(Date.parse(next.slice(0, 24)));
  return text.startsWith(mark) && isValid ? next : undefined;
}
