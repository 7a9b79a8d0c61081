/**
 * Ids of requests hold their time, so that the record of a request is found by its id alone. They are UUIDs of version 7, whose
 * first 48 bits are the time in Unix milliseconds (RFC 9562, section 5.7). The other bits are those of the random id that the
 * request had before: the last twenty characters of both are the same.
 */

const random = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timed = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The id with the time; any id but a random UUID stays as it is. */
export function withTime(id: string, milliseconds: number): string {
  if (!random.test(id)) return id;
  const time = Math.floor(milliseconds).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${id.slice(15)}`;
}

/** In Unix milliseconds; undefined for an id without a time. */
export function timeOfRequest(id: string): number | undefined {
  return timed.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}
