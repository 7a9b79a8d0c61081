/** The parameters of a request without a body, as the SDKs and API Gateway write them. */
import { expect, test } from 'vitest';
import { parameters } from '../../lib/http/request/request.ts';

type Event = Parameters<typeof parameters>[0];

const read = (query: Record<string, string[]> | null, path: Record<string, string> | null = null) =>
  parameters({ multiValueQueryStringParameters: query, pathParameters: path } as unknown as Event);

test.each([
  ['nothing', null, {}],
  ['one value', { limit: ['5'] }, { limit: '5' }],
  ['a name that comes twice', { include: ['a', 'b'] }, { include: ['a', 'b'] }],
  ['brackets, which make a list of a single value, too', { 'include[]': ['a'] }, { include: ['a'] }],
  ['encoded brackets', { 'include%5B%5D': ['a'] }, { include: ['a'] }],
])('%s', (_what, query, expected) => {
  expect(read(query)).toEqual(expected);
});

test('a path parameter overrides one of the query', () => {
  expect(read({ id: ['query'], more: ['yes'] }, { id: 'path' })).toEqual({ id: 'path', more: 'yes' });
});
