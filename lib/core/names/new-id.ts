/** Random ids. OpenAI's chat protocol takes ids of tool calls with at most 40 characters, so prefixes are short. */
import { hash, randomUUID } from 'node:crypto';

/** The prefix, and 32 hexadecimal digits. */
export function newId(prefix: string): string {
  const id = randomUUID();
  return prefix + id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
}

/** The id of a tool call whose provider gave none: 37 characters. */
export const newCallId = (): string => newId('call_');

/** The same, and always the same for the n-th of a seed. */
export const callIdOf = (seed: string, n: number): string =>
  `call_${hash('sha256', JSON.stringify([seed, n])).slice(0, 32)}`;

/** Whether a text can be an id with this prefix. Anything else is in no table, and may be no key of one: empty, or too long. */
export const isIdOf = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) && /^\w{1,64}$/.test(text.slice(prefix.length));

/** An id that sorts by its time, in Unix milliseconds: the prefix, the time, and 128 random bits. */
export const timedId = (prefix: string, milliseconds: number): string =>
  newId(prefix + Math.floor(milliseconds).toString(16).padStart(12, '0'));
