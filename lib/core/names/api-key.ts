/**
 * The gateway's API keys: their format, their checksum, and the parts that may be stored and shown.
 *
 * A key is `mgw_`, 34 random base62 characters, and the CRC-32 of everything before in six more characters: a mistyped key is
 * rejected without a database read. Only the random part is secret, the checksum adds no security.
 */
import { hash, randomInt } from 'node:crypto';

const prefix = 'mgw_';
const randomLength = 34;
const checksumLength = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const wellFormed = new RegExp(`^${prefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** A new key. Its 34 random characters have about 202 bits of entropy. */
export function newApiKey(): string {
  const random = Array.from({ length: randomLength }, () => alphabet.charAt(randomInt(alphabet.length)));
  const body = prefix + random.join('');
  return body + checksum(body);
}

/** Whether a text has the format and the checksum of a key. */
export function isWellFormedApiKey(text: string): boolean {
  if (!wellFormed.test(text)) return false;
  return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** Whether a text begins like a key of the gateway, even if it is cut off. */
export const hasApiKeyPrefix = (text: string): boolean => text.startsWith(prefix);

/** The stored format of a key: its SHA-256 in lower-case hex. A random key needs no salt. */
export function hashApiKey(text: string): string {
  return hash('sha256', text);
}

/** The id of a key in logs and commands. It is not secret. */
export function apiKeyId(text: string): string {
  return apiKeyIdOfHash(hashApiKey(text));
}

/** The same id, from the hash. */
export function apiKeyIdOfHash(hash: string): string {
  return `key_${hash.slice(0, 12)}`;
}

/** Of the 16 values of four bits. Source: RFC 1952, section 8. */
const remainders = Array.from({ length: 16 }, (_, bits) => {
  let rest = bits;
  for (let bit = 0; bit < 4; bit += 1) rest = (rest >>> 1) ^ (rest & 1 && 0xed_b8_83_20);
  return rest;
});

/** Node's own is in its module for compression, which a start does not load otherwise. */
function crc32(text: string): number {
  let rest = -1;
  for (let at = 0; at < text.length; at += 1) {
    rest ^= text.charCodeAt(at);
    rest = (rest >>> 4) ^ (remainders[rest & 15] ?? 0);
    rest = (rest >>> 4) ^ (remainders[rest & 15] ?? 0);
  }
  return ~rest >>> 0;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let digit = 0; digit < checksumLength; digit += 1) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
