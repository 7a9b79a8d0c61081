/** Which web pages may read answers. */
import { describe, expect, test } from 'vitest';
import { corsHeaders, readCorsOrigins } from '../../lib/core/cors.ts';

const read = (text: string | undefined) => readCorsOrigins('The setting', text);

describe('the list of origins', () => {
  test.each<[string | undefined, readonly string[]]>([
    [undefined, []],
    [' , ', []],
    ['*', ['*']],
    ['https://a.example.com,http://localhost:3000', ['https://a.example.com', 'http://localhost:3000']],
    [' http://[::1]:80 , app://obsidian.md ', ['http://[::1]:80', 'app://obsidian.md']],
  ])('%s is %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    'example.com',
    'https://example.com/',
    'https://Example.com',
    'https://*.example.com',
    'https://user@example.com',
    'https://example.com:port',
    '*,https://example.com',
    'null',
    'https://a"b',
    'https://a$b',
    Array.from({ length: 21 }, (_, index) => `https://a${index}.example.com`).join(),
  ])('%.40s is refused by name', (text) => {
    expect(() => read(text)).toThrow(/^The setting must be/);
  });
});

describe('an answer', () => {
  const open = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
  const listed = ['https://a.example.com', 'https://b.example.com'];

  test.each<[string, readonly string[], string | undefined, object]>([
    ['is for no page by default', [], 'https://a.example.com', {}],
    ['is for every page', ['*'], 'https://a.example.com', open],
    ['is for every page, also without an origin', ['*'], undefined, open],
    ['depends on the origin, also without one', listed, undefined, { vary: 'origin' }],
    ['is not for another page', listed, 'https://c.example.com', { vary: 'origin' }],
    [
      'is for a listed page',
      listed,
      'https://b.example.com',
      { ...open, 'access-control-allow-origin': 'https://b.example.com', vary: 'origin' },
    ],
  ])('%s', (_, origins, from, expected) => {
    expect(corsHeaders(origins, from)).toEqual(expected);
  });
});
