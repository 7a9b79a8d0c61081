/** What a request names. */
import { expect, test } from 'vitest';
import { parseUrl } from '../../server/http/request-target.ts';

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
