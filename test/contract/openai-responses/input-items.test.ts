/** The input items of a stored response, listed with the official SDK. */
import { expect, test } from 'vitest';
import { hasOpenAiSchema, openAiSchema } from '../../harness/openai-schema.ts';
import { message, sampleResponse } from '../../harness/responses/sample-response.ts';
import { useStoredResponses } from '../../harness/responses/stored-responses.ts';

const { client, store, ask } = useStoredResponses();

const ids = sampleResponse('').input.map(({ id }) => id);

test('are listed newest first, page by page, by the SDK', async () => {
  const id = await store();
  const pages = [];
  for await (const page of (await client().responses.inputItems.list(id, { limit: 3 })).iterPages())
    pages.push(page.data.map((item) => item.id));
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
  expect(pages.flat()).toEqual(ids.toReversed());
});

test('are listed in the order of the conversation on request', async () => {
  const list = client().responses.inputItems.list(await store(), { order: 'asc', limit: 2 });
  expect(await Array.fromAsync(list, (item) => item.id)).toEqual(ids);
});

test('have the first and last id of a page', async () => {
  const id = await store();
  const page = async (query: string) => {
    const { data, ...rest } = JSON.parse((await ask(`${id}/input_items?${query}`)).text);
    return { ...rest, ids: data.map((item: { id: string }) => item.id) };
  };
  const list = { object: 'list' };
  expect(await page('order=asc&limit=2&after=msg_1')).toEqual({
    ...list,
    ids: ['rs_1', 'ws_1'],
    first_id: 'rs_1',
    last_id: 'ws_1',
    has_more: true,
  });
  const end = { ...list, ids: [], first_id: '', last_id: '', has_more: false };
  expect(await page('order=asc&after=msg_3')).toEqual(end);
  expect(await page('')).toMatchObject({ ids: ids.toReversed(), has_more: false });
  expect(await page('limit=7')).toMatchObject({ has_more: false });
});

test('are twenty to a page by default', async () => {
  const input = Array.from({ length: 45 }, (_, index) => message(`msg_${index}`, 'Hello.'));
  const id = await store({ make: (id) => ({ ...sampleResponse(id), input }) });
  const first = await client().responses.inputItems.list(id);
  expect(first.data).toHaveLength(20);
  expect(await Array.fromAsync(first)).toHaveLength(45);
});

test('omit what was not requested', async () => {
  const id = await store();
  const list = async (query: string) => (await ask(`${id}/input_items?${query}`)).text;
  expect(await list('')).not.toMatch(/encrypted_content|sources/);
  expect(await list('include[]=reasoning.encrypted_content')).toMatch(/encrypted_content/);
  expect(await list('include[]=web_search_call.action.sources')).toMatch(/sources/);
});

test.each([
  ['limit', 'limit=0'],
  ['limit', 'limit=101'],
  ['limit', 'limit=many'],
  ['limit', 'limit='],
  ['limit', 'limit=2.5'],
  ['limit', 'limit=1&limit=2'],
  ['order', 'order=up'],
  ['after', 'after=msg_nobody'],
  ['after', 'after='],
  ['include', 'include=everything'],
])('reject a wrong %s by name: %s', async (param, query) => {
  const { status, text } = await ask(`${await store()}/input_items?${query}`);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ error: { type: 'invalid_request_error', param } });
});

test.skipIf(!hasOpenAiSchema)('satisfy the public schema', async () => {
  const { text } = await ask(`${await store()}/input_items`);
  expect(openAiSchema('ResponseItemList')(JSON.parse(text))).toEqual([]);
});
