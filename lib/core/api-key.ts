/**
 * The gateway's own API keys: how one looks, how a wrong one is known by sight, and what of it may be stored and shown.
 *
 * A key is `mgw_`, 34 random base62 characters, and six more that are the CRC-32 of all before them: a mistyped key is
 * refused without asking a database. The checksum keeps no secret; only the random part does.
 */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'mgw_';
const randomLength = 34;
const checksumLength = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const wellFormed = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** A new key. Its 34 random characters hold about 202 bits. */
export function newApiKey(): string {
  const random = Array.from({ length: randomLength }, () => alphabet.charAt(randomInt(alphabet.length)));
  const body = prefix + random.join('');
  return body + checksum(body);
}

/** Whether a text can be a key at all: its shape and its checksum are right. */
export function isWellFormedApiKey(text: string): boolean {
  if (!wellFormed.test(text)) return false;
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** Whether a text begins like a key of the gateway, even if it is cut off. */
export const hasApiKeyPrefix = (text: string): boolean => text.startsWith(prefix);

/** What is stored of a key: its SHA-256, in lower-case hex. A key is random enough that no salt is needed. */
export function hashApiKey(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The name of a key in logs and commands; not secret. */
export function apiKeyId(text: string): string {
  return apiKeyIdOfHash(hashApiKey(text));
}

/** The same name, for who has only the hash. */
export function apiKeyIdOfHash(hash: string): string {
  return `key_${hash.slice(0, 12)}`;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
