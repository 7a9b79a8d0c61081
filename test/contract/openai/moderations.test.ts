/** Moderation through the official SDK: texts, images, both providers, and what is refused. */
import { BadRequestError } from 'openai';
import { expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';

const client = useSdk();
const url = 'https://images.example/cat.png';

test('a text without a model is classified by the default one, free of charge', async () => {
  const { data, response } = await client()
    .moderations.create({ input: 'A text with violence.' })
    .withResponse();
  expect(data.id).toMatch(/^modr-/);
  expect(data.model).toBe('openai/omni-moderation-2024-09-26');
  expect(data.results).toHaveLength(1);
  expect(data.results[0]).toMatchObject({
    flagged: true,
    categories: { violence: true, hate: false },
    category_applied_input_types: { violence: ['text'] },
  });
  expect(response.headers.get('x-request-id')).toBeTruthy();
});

test('each text has a result; the parts of a list with an image have one together', async () => {
  const texts = await client().moderations.create({
    model: 'omni-moderation-latest',
    input: ['hate', 'love'],
  });
  expect(texts.results.map(({ flagged }) => flagged)).toEqual([true, false]);
  const input = [
    { type: 'text' as const, text: 'What is this?' },
    { type: 'image_url' as const, image_url: { url } },
  ];
  const { results } = await client().moderations.create({ input });
  expect(results).toHaveLength(1);
  expect(results[0]?.category_applied_input_types.violence).toEqual(['text', 'image']);
});

test("Mistral's result is flagged as OpenAI's is, and has its own categories", async () => {
  const model = 'mistral/mistral-moderation-2603';
  const answer = await client().moderations.create({
    model,
    input: ['selfharm', 'Hello'],
    // @ts-expect-error: the SDK does not know the extensions, and sends them unchanged.
    extra: { debug: ['cost'] },
  });
  expect(answer).toMatchObject({
    model,
    results: [{ flagged: true, categories: { selfharm: true } }, { flagged: false }],
  });
  expect(JSON.stringify(answer)).toContain('"cost":');
});

test.each([
  ['an empty list', { input: [] }, 'input'],
  ['an empty text', { input: '' }, 'input'],
  [
    'an image for a model of texts',
    { model: 'mistral-moderation-2603', input: [{ type: 'image_url', image_url: { url } }] },
    'input.0',
  ],
  ['an unknown field', { input: 'Hi', stream: true }, 'stream'],
  ['a model that chats', { input: 'Hi', model: 'openai/gpt-4.1' }, 'model'],
])('%s is refused by its field', async (_, body, param) => {
  const failure: unknown = await client()
    .moderations.create(body as never)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(BadRequestError);
  expect(failure).toMatchObject({ param });
});

test('a model of moderation does not chat', async () => {
  const chat = client().chat.completions.create({
    model: 'omni-moderation-latest',
    messages: [{ role: 'user', content: 'Hi' }],
  });
  await expect(chat).rejects.toMatchObject({ status: 400, code: 'unsupported_operation' });
});
