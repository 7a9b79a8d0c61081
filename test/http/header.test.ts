/** The headers of an event. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { header } from '../../lib/http/request/request.ts';

const withHeaders = (headers: unknown) => ({ headers }) as APIGatewayProxyEvent;

test('are found whatever case their names have', () => {
  const event = withHeaders({ 'Content-Type': 'a', AUTHORIZATION: 'b', origin: 'c' });
  expect(header(event, 'content-type')).toBe('a');
  expect(header(event, 'authorization')).toBe('b');
  expect(header(event, 'origin')).toBe('c');
  expect(header(event, 'x-api-key')).toBeUndefined();
  expect(header(event, 'constructor')).toBeUndefined();
});

test('count in lower case first, then the first of those with one name', () => {
  expect(header(withHeaders({ 'X-A': '1', 'x-a': '2', 'X-a': '3' }), 'x-a')).toBe('2');
  expect(header(withHeaders({ 'X-A': '1', 'X-a': '3' }), 'x-a')).toBe('1');
});

test('may be absent', () => {
  expect(header(withHeaders(null), 'x-a')).toBeUndefined();
});
