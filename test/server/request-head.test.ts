/** What a request names, and whose it is: the address of the connection, or what trusted proxies have appended. */
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddress, parseUrl } from '../../server/http/request-target.ts';

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
  }) as unknown as IncomingMessage;

test.each([
  ['without proxies, the header is not believed', 0, '192.0.2.7', '203.0.113.5', '192.0.2.7'],
  ['one proxy appends who called it', 1, '10.0.0.1', '203.0.113.5', '203.0.113.5'],
  [
    'what the client has sent stands before',
    1,
    '10.0.0.1',
    '127.0.0.1, 198.51.100.9,203.0.113.5',
    '203.0.113.5',
  ],
  [
    'of two proxies, the first one appends the client',
    2,
    '10.0.0.1',
    '127.0.0.1, 203.0.113.5, 10.0.0.2',
    '203.0.113.5',
  ],
  ['fewer addresses than proxies', 3, '10.0.0.1', '203.0.113.5, 10.0.0.2', '203.0.113.5'],
  ['no header', 1, '10.0.0.1', undefined, '10.0.0.1'],
  ['an empty header', 1, '10.0.0.1', '', '10.0.0.1'],
  ['no address', 1, '10.0.0.1', 'unknown', '10.0.0.1'],
  ['text of a stranger', 1, '10.0.0.1', '203.0.113.5"} {', '10.0.0.1'],
  ['a port after it', 1, '10.0.0.1', '203.0.113.5:4711', '203.0.113.5'],
  ['IPv6', 1, '10.0.0.1', '2001:db8::7', '2001:db8::7'],
  ['IPv6 with a port', 1, '10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
  ['IPv4 on a server that listens on all addresses', 0, '::ffff:192.0.2.7', undefined, '192.0.2.7'],
  ['a client that has gone', 0, undefined, undefined, ''],
])('%s', (_, proxies, remote, forwarded, expected) => {
  expect(clientAddress(from(remote, forwarded), proxies)).toBe(expected);
});

test.each([
  '/',
  '/v1/chat/completions',
  '/v1/chat/completions/',
  '//v1//models',
  '/a_b-c/D',
  '/v1/models/openai/gpt-4.1',
  '/v1/./models/../x',
  '/v1/models?limit=2&limit=3',
  '/v1/models?',
  '/v1/models#part',
  '/v1/%7Emodels',
  '/v1\\models',
  '/ä',
])('the path %s is read as a URL parser reads it', (url) => {
  const expected = new URL(`http://127.0.0.1${url}`);
  const target = parseUrl({ url });
  expect(target?.pathname).toBe(expected.pathname);
  expect(target?.host).toBe(expected.host);
  expect([...(target?.searchParams ?? [])]).toEqual([...expected.searchParams]);
});
