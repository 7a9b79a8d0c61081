/** Which operation a method and a path lead to, as with API Gateway, and which path an unknown one was meant to be. */
import { expect, test } from 'vitest';
import { createFindRoute, meantPath } from '../../lib/core/find-route.ts';
import type { RoutedOperation } from '../../lib/core/routes.ts';

const operation = (name: string, method: string, path: string) =>
  ({ name, method, path }) as unknown as RoutedOperation;

const operations = [
  operation('list', 'GET', '/v1/things'),
  operation('make', 'POST', '/v1/things'),
  operation('retrieve', 'GET', '/v1/things/{thing}'),
  operation('parts', 'GET', '/v1/things/{thing}/parts'),
  operation('file', 'GET', '/files/{path+}'),
];

const find = createFindRoute(operations);

const found = (method: string, path: string) => {
  const route = find(method, path);
  return route && [route.operation.name, route.pathParameters];
};

test.each([
  ['GET', '/v1/things', ['list', {}]],
  ['POST', '/v1/things', ['make', {}]],
  ['POST', '//v1//things/', ['make', {}]],
  ['DELETE', '/v1/things', ['list', {}]],
  ['GET', '/v1/things/a%20b', ['retrieve', { thing: 'a b' }]],
  ['GET', '/v1/things/%E0%A4', ['retrieve', { thing: '%E0%A4' }]],
  ['GET', '/v1/things/a/parts', ['parts', { thing: 'a' }]],
  ['GET', '/v1/things/a/other', undefined],
  ['GET', '/v1/things/a/parts/b', undefined],
  ['GET', '/v1', undefined],
  ['GET', '/files/a', ['file', { path: 'a' }]],
  ['GET', '/files/a/b%2Fc/d', ['file', { path: 'a/b/c/d' }]],
  ['GET', '/files', undefined],
])('%s %s', (method, path, expected) => {
  expect(found(method, path)).toEqual(expected);
});

test.each([
  ['/base/v1/things', '/v1/things'],
  ['/base//v1/things/', '/v1/things'],
  ['/v1/thigns', '/v1/things'],
  ['/something/else/entirely', undefined],
])('%s is meant to be %s', (path, meant) => {
  expect(meantPath(operations, path)).toBe(meant);
});
