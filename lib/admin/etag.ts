/** Tags of what can be changed, so that a change can name the state that it was made for. */
import { createHash } from 'node:crypto';
import { GatewayError } from '../core/errors/errors.ts';

/** Of what people see, without what changes by itself. With its quotes, as in the headers `ETag` and `If-Match`. */
export const etagOf = (shown: object): string =>
  `"${createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 32)}"`;

/** The tag of what does not exist: in place of `If-Match` for a request with `If-None-Match: *`. */
export const absent = 'absent';

/** The state that a request's headers require, by `If-Match` or `If-None-Match`; undefined: the request requires none. */
export const expectedState = (header: (name: string) => string | undefined): string | undefined =>
  header('if-none-match')?.trim() === '*' ? absent : header('if-match');

/** Throws GatewayError `conflict` if `If-Match` names other states only. */
export function requireMatch(ifMatch: string | undefined, etag: string, what: string): void {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.includes(etag) || (tags.includes('*') && etag !== absent)) return;
  throw new GatewayError(
    'conflict',
    ifMatch === absent
      ? `${what} exists already.`
      : `${what} was changed since you read it. Read it again, look at what changed, and repeat your change.`,
  );
}
