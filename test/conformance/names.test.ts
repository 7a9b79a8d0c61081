/** The names by which a model can be called: without its owner, by its aliases, and by an alias of the operator. */

import OpenAI from 'openai';
import { beforeAll, describe, expect, test } from 'vitest';
import { createKeyStore } from '../../lib/stores/access/keys.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { databaseEndpoint } from '../harness/gateways/environment.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { use } from '../harness/use.ts';

let limited: string;

const gateway = use(() => startTestGateway());
beforeAll(async () => {
  await putModels({
    'one/shared-name': [{ provider: 'openai', upstreamId: 'gpt-4.1' }],
    'two/shared-name': [{ provider: 'anthropic', upstreamId: 'claude-haiku-4-5' }],
    'acme/own-model': [{ provider: 'openai', upstreamId: 'gpt-4.1' }],
  });
  const { call, close } = connectDatabase(databaseEndpoint());
  const { names } = createCatalogStore({ call, table: 'catalog' });
  await names.setAlias('fast', [
    { model: 'openai/gpt-5.4-mini', weight: 80 },
    { model: 'google/gemini-3.5-flash', weight: 20 },
  ]);
  await names.setAlias('smart', [
    { model: 'anthropic/claude-haiku-4-5', weight: 1 },
    { model: 'openai/gpt-4.1', weight: 1, when: { tools: true } },
    { model: 'google/gemini-3.5-flash', weight: 1, when: { inputTokensAbove: 1000 } },
  ]);
  await names.setAlias('gone', [{ model: 'openai/gpt-4', weight: 1 }]);
  await names.setAlias('search', [{ model: 'openai/text-embedding-3-small', weight: 1 }]);
  const keys = createKeyStore({ call, table: 'access' });
  const key = await keys.create({ tenant: 'default', models: ['google/*'] });
  limited = key.secret;
  await close();
});

interface Body {
  readonly model: string;
  readonly debug?: { readonly routing: readonly object[] };
  readonly error: { readonly message: string; readonly param: string; readonly code: string };
}

const say = (content: string) => [{ role: 'user', content }];

async function ask(model: string, more: object = {}, headers: Record<string, string> = {}) {
  const request = { model, messages: say('Hello'), ...more };
  const response = await gateway.post('/v1/chat/completions', request, headers);
  return { status: response.status, body: (await response.json()) as Body };
}

describe('a name without an owner', () => {
  test.each([
    ['gpt-5.5', 'openai/gpt-5.5'],
    ['claude-opus-5', 'anthropic/claude-opus-5'],
    ['MiniMax-M3', 'minimax/MiniMax-M3'],
    ['own-model', 'acme/own-model'],
    ['claude-haiku-4-5-20251001', 'anthropic/claude-haiku-4-5'],
    ['gpt-4.1-2025-04-14', 'openai/gpt-4.1'],
    ['openai/gpt-4.1-2025-04-14', 'openai/gpt-4.1'],
  ])('%s is %s, and the answer says so', async (name, id) => {
    const { status, body } = await ask(name, { extra: { debug: ['routing'] } });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.model).toBe(id);
    expect(body.debug?.routing[0]).toMatchObject({ model: id, requested: name, status: 'succeeded' });
  });

  test('an id is not reported as a name', async () => {
    const { body } = await ask('openai/gpt-4.1', { extra: { debug: ['routing'] } });
    expect(body.debug?.routing[0]).not.toHaveProperty('requested');
  });

  test('is served by every operation, and as a fallback', async () => {
    const responses = await gateway.post('/v1/responses', { model: 'gpt-5.5', input: 'Hello' });
    expect(((await responses.json()) as Body).model).toBe('openai/gpt-5.5');
    const embeddings = await gateway.post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'a' });
    expect(((await embeddings.json()) as Body).model).toBe('openai/text-embedding-3-small');
    const image = await gateway.post('/v1/images/generations', { model: 'gpt-image-2', prompt: 'A cat' });
    expect(image.status).toBe(200);
    expect((await ask('openai/gpt-4.1', { extra: { fallbacks: ['claude-opus-5'] } })).status).toBe(200);
  });

  test('of several models is refused, with their ids', async () => {
    for (const [more, param] of [
      [{ model: 'shared-name' }, 'model'],
      [{ extra: { fallbacks: ['gpt-4.1', 'shared-name'] } }, 'extra.fallbacks.1'],
    ] as const) {
      const { status, body } = await ask('openai/gpt-4.1', more);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ param, code: 'model_ambiguous' });
      expect(body.error.message).toContain("'one/shared-name', 'two/shared-name'");
    }
  });

  test.each([
    ['gpt-5.7', 404, 'Did you mean'],
    ['gpt-4', 404, "The model 'openai/gpt-4' is retired"],
    ['two/gpt-4.1-2025-04-14', 404, 'does not exist'],
    ['__proto__', 404, 'does not exist'],
    ['a/b/c', 404, 'does not exist'],
  ])('%s is not found', async (name, status, message) => {
    const { status: found, body } = await ask(name);
    expect(found).toBe(status);
    expect(body.error).toMatchObject({ param: 'model', code: 'model_not_found' });
    expect(body.error.message).toContain(message);
  });

  test('of a model that the key may not use is refused for that model', async () => {
    const headers = { authorization: `Bearer ${limited}` };
    const { status, body } = await ask('gpt-4.1', {}, headers);
    expect([status, body.error.code]).toEqual([403, 'model_not_allowed']);
    expect((await ask('gemini-3.5-flash', {}, headers)).body.model).toBe('google/gemini-3.5-flash');
  });
});

describe("an operator's alias", () => {
  const chosen = async (messages: readonly object[], headers = {}) =>
    (await ask('fast', { messages }, headers)).body.model;

  test('spreads conversations by weight, and a conversation keeps its choice', async () => {
    const models: string[] = [];
    for (let topic = 0; topic < 16; topic++) {
      const turns = say(`Topic ${topic}`);
      const model = await chosen(turns);
      expect(await chosen([...turns, { role: 'assistant', content: 'Yes.' }, ...say('Go on.')])).toBe(model);
      models.push(model);
    }
    const mini = models.filter((model) => model === 'openai/gpt-5.4-mini').length;
    expect(new Set(models)).toEqual(new Set(['openai/gpt-5.4-mini', 'google/gemini-3.5-flash']));
    expect(mini).toBeGreaterThan(8);
  });

  test('keeps the choice of a session, whatever is said', async () => {
    const headers = { 'x-gateway-session-id': 'one' };
    const models = await Promise.all(
      Array.from({ length: 8 }, (_, topic) => chosen(say(`Topic ${topic}`), headers)),
    );
    expect(new Set(models).size).toBe(1);
  });

  test('prefers a target whose condition holds', async () => {
    const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
    expect((await ask('smart')).body.model).toBe('anthropic/claude-haiku-4-5');
    expect((await ask('smart', { tools: [tool] })).body.model).toBe('openai/gpt-4.1');
    const long = say('word '.repeat(1200));
    expect((await ask('smart', { messages: long })).body.model).toBe('google/gemini-3.5-flash');
  });

  test('chooses only what the caller may use, and what can do what is asked', async () => {
    const headers = { authorization: `Bearer ${limited}` };
    for (let topic = 0; topic < 6; topic++) {
      const { body } = await ask('fast', { messages: say(`Topic ${topic}`) }, headers);
      expect(body.model).toBe('google/gemini-3.5-flash');
    }
    const refused = await ask('smart', {}, headers);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'model_not_allowed']);
    const unfit = await ask('search');
    expect([unfit.status, unfit.body.error.code]).toEqual([400, 'unsupported_operation']);
  });

  test('of models that are gone says which replaces them', async () => {
    const { status, body } = await ask('gone');
    expect(status).toBe(404);
    expect(body.error.message).toContain("'openai/gpt-4' is retired");
  });
});

describe('GET /v1/models/{model}', () => {
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(`${gateway.url}/v1/models/${path}`, { method });
    return { status: response.status, body: await response.json() };
  };

  test.each(['openai/gpt-4.1', 'openai%2Fgpt-4.1', 'gpt-4.1', 'gpt-4.1-2025-04-14'])(
    '%s returns the entry of the list',
    async (name) => {
      const list = (await (await fetch(`${gateway.url}/v1/models`)).json()) as { data: { id: string }[] };
      const { status, body } = await get(name);
      expect(status).toBe(200);
      expect(body).toEqual(list.data.find(({ id }) => id === 'openai/gpt-4.1'));
    },
  );

  test('the SDK retrieves a model', async () => {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'not needed here' });
    expect(await client.models.retrieve('anthropic/claude-opus-5')).toMatchObject({
      id: 'anthropic/claude-opus-5',
    });
  });

  test('an alias is a model with targets, here and in the list', async () => {
    const alias = {
      id: 'fast',
      object: 'model',
      created: expect.any(Number),
      owned_by: 'operator',
      status: 'active',
      modalities: { input: expect.arrayContaining(['text', 'image']), output: ['text'] },
      endpoints: ['chat_completions', 'messages', 'responses'],
      targets: ['openai/gpt-5.4-mini', 'google/gemini-3.5-flash'],
    };
    expect((await get('fast')).body).toMatchObject(alias);
    const list = (await (await fetch(`${gateway.url}/v1/models`)).json()) as { data: { id: string }[] };
    expect(list.data.find(({ id }) => id === 'fast')).toMatchObject(alias);
    const retired = await fetch(`${gateway.url}/v1/models?status=retired`);
    expect(((await retired.json()) as { data: { id: string }[] }).data.map(({ id }) => id)).toContain('gone');
  });

  test('a model that is not served is shown with its status', async () => {
    expect((await get('openai/gpt-4')).body).toMatchObject({ id: 'openai/gpt-4', status: 'retired' });
  });

  test.each([
    ['openai/gpt-4.l', 404, "Did you mean 'openai/gpt-4.1'"],
    ['%E0%A4', 404, 'does not exist'],
    ['shared-name', 400, "'one/shared-name'"],
  ])('%s is an error that helps', async (name, status, message) => {
    const { status: found, body } = await get(name);
    expect(found).toBe(status);
    expect((body as Body).error.message).toContain(message);
  });

  test('other methods are named as wrong', async () => {
    expect((await get('openai/gpt-4.1', 'DELETE')).status).toBe(405);
  });
});
