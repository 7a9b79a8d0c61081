/** What a key of the gateway's own looks like, and what is no such key. */
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  apiKeyId,
  apiKeyIdOfHash,
  hashApiKey,
  isWellFormedApiKey,
  newApiKey,
} from '../../lib/core/names/api-key.ts';

describe('API keys', () => {
  test('a new key is mgw_ and 40 base62 characters, each time another', () => {
    const keys = Array.from({ length: 200 }, newApiKey);
    for (const key of keys) expect(key).toMatch(/^mgw_[0-9A-Za-z]{40}$/);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('every character of the alphabet is equally frequent', () => {
    const counts = new Map<string, number>();
    for (let made = 0; made < 2_000; made += 1) {
      for (const character of newApiKey().slice(4, 38))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    const expected = (2_000 * 34) / 62;
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - expected) / expected).toBeLessThan(0.25);
  });

  test('a key is well formed, and no longer with any one character changed', () => {
    const key = newApiKey();
    expect(isWellFormedApiKey(key)).toBe(true);
    for (let index = 0; index < key.length; index += 1) {
      const other = key[index] === 'x' ? 'y' : 'x';
      expect(isWellFormedApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
  });

  test('its checksum is the CRC-32 of everything before', () => {
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const key = newApiKey();
    const sum = [...key.slice(-6)].reduce((before, digit) => before * 62 + digits.indexOf(digit), 0);
    expect(sum).toBe(crc32(key.slice(0, -6)));
  });

  test('two swapped neighbours are detected', () => {
    const key = newApiKey();
    for (let index = 4; index < key.length - 1; index += 1) {
      const swapped = key.slice(0, index) + key[index + 1] + key[index] + key.slice(index + 2);
      expect(isWellFormedApiKey(swapped)).toBe(swapped === key);
    }
  });

  test.each(['', 'mgw_', 'sk-abc', `mgw_${'0'.repeat(40)}`, `${newApiKey()} `, `${newApiKey()}\n`])(
    'the text %j is no key',
    (text) => {
      expect(isWellFormedApiKey(text)).toBe(false);
    },
  );

  test('the stored hash is SHA-256, and the id starts with it', () => {
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(apiKeyId('abc')).toBe('key_ba7816bf8f01');
    expect(apiKeyIdOfHash(hashApiKey('abc'))).toBe(apiKeyId('abc'));
  });
});
