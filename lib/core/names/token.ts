/** Random tokens: a prefix that says what a token is for, and 256 bits. Only their hashes are stored. */
import { randomBytes } from 'node:crypto';

/** 256 random bits, as 43 characters after the prefix. */
export const newToken = (prefix: string): string => prefix + randomBytes(32).toString('base64url');

/** Whether a text has the form of such a token. */
export const isToken = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) && /^[\w-]{43}$/.test(text.slice(prefix.length));
