/** The model list: public, complete, and filtered by status. */
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelStatuses } from '../../lib/core/model.ts';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { hasOpenAiSchema, openAiSchema } from '../harness/openai-schema.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway?.close());

interface ModelEntry {
  readonly id: string;
  readonly owned_by: string;
  readonly status: string;
  readonly endpoints: readonly string[];
  readonly aliases?: readonly string[];
  readonly modalities: { readonly input: readonly string[]; readonly output: readonly string[] };
}

async function list(query = '', headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}/v1/models${query}`, { headers });
  return { status: response.status, body: await response.json() };
}

async function models(query?: string, headers?: Record<string, string>): Promise<readonly ModelEntry[]> {
  const { status, body } = await list(query, headers);
  expect(status).toBe(200);
  return (body as { data: ModelEntry[] }).data;
}

test('needs no key, and ignores an invalid one', async () => {
  const open = await models();
  expect(open.length).toBeGreaterThan(20);
  expect(await models('', { authorization: 'Bearer nonsense' })).toEqual(open);
});

test('has the fields of the contract for each model', async () => {
  for (const model of await models()) {
    expect(model).toEqual({
      id: expect.stringMatching(/^[^/]+\/.+$/),
      object: 'model',
      created: expect.any(Number),
      owned_by: model.id.split('/')[0],
      status: expect.toBeOneOf([...modelStatuses]),
      modalities: {
        input: expect.arrayContaining(['text']),
        output: expect.toBeOneOf([['text'], ['image'], ['embedding']]),
      },
      endpoints: expect.toSatisfy((names: readonly string[]) => names.length > 0),
      ...(model.aliases && { aliases: expect.toSatisfy((names: readonly string[]) => names.length > 0) }),
    });
  }
});

test.skipIf(!hasOpenAiSchema)('satisfies the public schema', async () => {
  const { body } = await list();
  expect(openAiSchema('ListModelsResponse')(body)).toEqual([]);
});

test('shows which models generate images', async () => {
  const imageModels = (await models()).filter(({ endpoints }) => endpoints.includes('images_generations'));
  expect(imageModels.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['openai/gpt-image-2', 'google/gemini-2.5-flash-image']),
  );
  for (const { modalities } of imageModels) expect(modalities.output).toContain('image');
});

test('shows which models hear and watch', async () => {
  const listening = (await models()).filter(({ modalities }) => modalities.input.includes('audio'));
  expect(listening.map(({ id }) => id)).toContain('google/gemini-3.5-flash');
  for (const { modalities } of listening) expect(modalities.input).toContain('video');
});

test('is filtered by status', async () => {
  const all = await models();
  for (const status of modelStatuses) {
    expect(await models(`?status=${status}`)).toEqual(all.filter((model) => model.status === status));
  }
  expect((await models('?status=active')).length).toBeGreaterThan(0);
});

test('an unknown status is rejected by name', async () => {
  for (const status of ['gone', '']) {
    const { status: code, body } = await list(`?status=${status}`);
    expect(code).toBe(400);
    expect(body).toMatchObject({ error: { type: 'invalid_request_error', param: 'status' } });
  }
});

test('can be read by the SDK', async () => {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'not needed here' });
  const ids = await Array.fromAsync(client.models.list(), ({ id }) => id);
  expect(ids).toContain('openai/gpt-4.1');
});
