/** A function of several operations: it finds the one of a request below the path of API Gateway, and by the route table of a server. */
import { expect, test } from 'vitest';
import type { Operation } from '../../lib/core/operations.ts';
import type { Handler, HttpRequest } from '../../lib/http/request/http-request.ts';
import { serveGroup } from '../../lib/http/serve-group.ts';

const row = (name: string, method: string, path: string) => ({ name, method, path }) as unknown as Operation;

const seen =
  (name: string): Handler =>
  async ({ template, pathParameters, body }) => ({
    statusCode: 200,
    headers: {},
    body: JSON.stringify([name, template, pathParameters, body]),
  });

const handle = serveGroup(
  [
    row('files-list', 'GET', '/v1/files'),
    row('files-create', 'POST', '/v1/files'),
    row('files-content', 'GET', '/v1/files/{file_id}/content'),
  ],
  { 'files-list': seen('list'), 'files-create': seen('create'), 'files-content': seen('content') } as object,
);

const request = (method: string, template: string, pathParameters = {}) =>
  ({ method, path: `/stage${template}`, template, pathParameters, body: 'text' }) as HttpRequest;

const answerTo = async (...given: Parameters<typeof request>) => {
  const { statusCode, body } = await handle(request(...given), { requestId: 'id', remainingMs: () => 1_000 });
  return [statusCode, JSON.parse(String(body))];
};

test.each([
  ['POST', '/v1/files', {}, ['create', '/v1/files', {}, 'text']],
  ['HEAD', '/v1/files', {}, ['list', '/v1/files', {}, 'text']],
  // As API Gateway says it, and as a server does.
  [
    'GET',
    '/v1/files/{proxy+}',
    { proxy: 'a/content' },
    ['content', '/v1/files/{file_id}/content', { file_id: 'a' }, 'text'],
  ],
  [
    'GET',
    '/v1/files/{file_id}/content',
    { file_id: 'a' },
    ['content', '/v1/files/{file_id}/content', { file_id: 'a' }, 'text'],
  ],
  // Its operation answers that the method is wrong.
  ['PUT', '/v1/files', {}, ['list', '/v1/files', {}, 'text']],
] as const)('%s %s %j', async (method, template, pathParameters, expected) => {
  expect(await answerTo(method, template, pathParameters)).toEqual([200, expected]);
});

test('a path of no operation is not found', async () => {
  expect(await answerTo('GET', '/v1/files/{proxy+}', { proxy: 'a/b/c' })).toMatchObject([
    404,
    { error: { type: 'not_found_error' } },
  ]);
});
