/**
 * Ids of requests hold their time, so that the record of a request is found by its id alone. They are UUIDs of version 7, whose
 * first 48 bits are the time in Unix milliseconds (RFC 9562, section 5.7). The other bits are those of the random id that the
 * request had before: the last twenty characters of both are the same.
 */

import { hash, randomUUID } from 'node:crypto';

const random = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timed = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The id with the time; any id but a random UUID stays as it is. */
export const withTime = (id: string, milliseconds: number): string =>
  random.test(id) ? timedOf(id, milliseconds) : id;

function timedOf(id: string, milliseconds: number): string {
  const time = Math.floor(milliseconds).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${id.slice(15)}`;
}

/** The id of a new request. */
export const newRequestId = (milliseconds: number): string => timedOf(randomUUID(), milliseconds);

/** Which line of a batch, counted from 0, and for which time it is asked. */
interface Line {
  readonly batch: string;
  readonly line: number;
  readonly attempt: number;
}

/** The id of the request of a line of a batch, always the same one: a line that is read again has the same record. */
export function lineRequestId({ batch, line, attempt }: Line, milliseconds: number): string {
  const digits = hash('sha256', JSON.stringify([batch, line, attempt]));
  const variant = '89ab'.charAt(Number.parseInt(digits.charAt(16), 16) % 4);
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ];
  return withTime(groups.join('-'), milliseconds);
}

/** In Unix milliseconds; undefined for an id without a time. */
export function timeOfRequest(id: string): number | undefined {
  return timed.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}
