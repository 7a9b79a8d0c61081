/** Access to the gateway: every rejection as a caller sees it, without a call to a provider. */
import { describe, expect, test } from 'vitest';
import { newApiKey } from '../../lib/core/names/api-key.ts';
import type { OperationName } from '../../lib/core/operations.ts';
import { useAccess } from '../harness/access.ts';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway();
const access = useAccess();

const messages = [{ role: 'user', content: 'Hello.' }];
const gpt = 'openai/gpt-5.5';
const claude = 'anthropic/claude-haiku-4-5';
const embedder = 'openai/text-embedding-3-small';

interface KeyAnswer {
  readonly status: number;
  readonly body: { readonly error?: { readonly [field: string]: unknown } };
  /** The number of calls to providers. */
  readonly asked: number;
}

async function post(path: string, body: object, authorization: string): Promise<KeyAnswer> {
  gateway.take();
  const response = await gateway.post(path, body, { authorization });
  return {
    status: response.status,
    body: (await response.json()) as KeyAnswer['body'],
    asked: gateway.take().length,
  };
}

const chat = (authorization: string, model = gpt, extra: object = {}) =>
  post('/v1/chat/completions', { model, messages, ...extra }, authorization);

const denied = (code: string, param: string | null, ...words: readonly string[]) => ({
  status: 403,
  body: {
    error: {
      type: 'permission_denied_error',
      code,
      param,
      message: expect.stringMatching(words.join('.*')),
    },
  },
  asked: 0,
});

const answered = { status: 200, asked: 1 };

describe('a key that does not work', () => {
  const unauthorized = { status: 401, body: { error: { code: 'invalid_api_key' } }, asked: 0 };

  test('is a 401 if it is unknown, expired, disabled, or rotated without an overlap', async () => {
    const { newKey } = access;
    const expired = await newKey({ expiresAt: Math.floor(Date.now() / 1000) - 1 });
    const disabled = await newKey();
    await access.disable(disabled.id);
    const rotated = await newKey();
    const { made } = (await access.keyEdits().rotate(rotated.id, 0)) ?? {};
    for (const { authorization } of [
      expired,
      disabled,
      rotated,
      { authorization: `Bearer ${newApiKey()}` },
    ]) {
      expect(await chat(authorization)).toMatchObject(unauthorized);
    }
    expect(await chat(`Bearer ${made?.secret}`)).toMatchObject(answered);
  });
});

describe('a suspended tenant', () => {
  test('is rejected with every key, for every operation', async () => {
    const { authorization } = await access.newKey({ tenant: 'late-payer' });
    await access.suspend('late-payer');
    const suspended = denied('tenant_suspended', null, 'late-payer', 'suspended');
    expect(await chat(authorization)).toMatchObject(suspended);
    expect(await post('/v1/embeddings', { model: embedder, input: 'a' }, authorization)).toMatchObject(
      suspended,
    );
  });
});

describe('operations', () => {
  const bodies: Readonly<Record<string, object>> = {
    '/v1/chat/completions': { model: gpt, messages },
    '/v1/messages': { model: gpt, messages, max_tokens: 100 },
    '/v1/completions': { model: gpt, prompt: 'Hello.' },
    '/v1/responses': { model: gpt, input: 'Hello.' },
    '/v1/embeddings': { model: embedder, input: 'Hello.' },
  };
  const names: Readonly<Record<string, OperationName>> = {
    '/v1/chat/completions': 'chat-completions',
    '/v1/messages': 'messages',
    '/v1/completions': 'completions',
    '/v1/responses': 'responses',
    '/v1/embeddings': 'embeddings',
  };

  test.each(Object.keys(bodies))('%s is served only to keys with the permission', async (path) => {
    const name = names[path] ?? 'models';
    const others = Object.values(names).filter((other) => other !== name);
    const own = await access.newKey({ operations: [name] });
    const other = await access.newKey({ operations: others });
    const tenant = `without-${name}`;
    await access.tenants().create(tenant, { operations: others });
    const both = await access.newKey({ tenant, operations: [name] });
    const body = bodies[path] ?? {};
    expect(await post(path, body, own.authorization)).toMatchObject(answered);
    const type = name === 'messages' ? 'permission_error' : 'permission_denied_error';
    const refused = denied('operation_not_allowed', null, path);
    refused.body.error.type = type;
    expect(await post(path, body, other.authorization)).toMatchObject(refused);
    expect(await post(path, body, both.authorization)).toMatchObject(refused);
  });
});

describe('models', () => {
  test('that a key may use are served, all of an owner with owner/*', async () => {
    const one = await access.newKey({ models: [gpt] });
    const all = await access.newKey({ models: ['anthropic/*'] });
    expect(await chat(one.authorization)).toMatchObject(answered);
    expect(await chat(all.authorization, claude)).toMatchObject(answered);
    expect(await chat(one.authorization, claude)).toMatchObject(denied('model_not_allowed', 'model', claude));
    expect(await chat(all.authorization)).toMatchObject(denied('model_not_allowed', 'model', gpt));
  });

  test('must be allowed for the key and for its tenant', async () => {
    await access.tenants().create('claudes', { models: ['anthropic/*'] });
    const { authorization } = await access.newKey({ tenant: 'claudes', models: [gpt, claude] });
    expect(await chat(authorization, claude)).toMatchObject(answered);
    expect(await chat(authorization)).toMatchObject(denied('model_not_allowed', 'model', gpt));
  });

  test('are checked for fallbacks too, before any call', async () => {
    const { authorization } = await access.newKey({ models: ['openai/*'] });
    const extra = { fallbacks: ['openai/gpt-4.1', claude] };
    const refused = denied('model_not_allowed', 'extra.fallbacks.1', claude);
    expect(await chat(authorization, gpt, { extra })).toMatchObject(refused);
    expect(await chat(authorization, gpt, { extra: { fallbacks: ['openai/gpt-4.1'] } })).toMatchObject(
      answered,
    );
  });

  test('are checked where a tool of the provider names one', async () => {
    const tools = [{ type: 'image_generation', model: 'gpt-image-1.5' }];
    const go = { role: 'user', content: 'Go.' };
    const { authorization } = await access.newKey({ models: [gpt] });
    const ask = (body: object) => post('/v1/responses', { model: gpt, ...body }, authorization);
    const refused = (param: string) => denied('model_not_allowed', param, 'openai/gpt-image-1.5');
    expect(await ask({ input: 'Go.', tools })).toMatchObject(refused('tools.0.model'));
    expect(await ask({ input: [go, { type: 'additional_tools', tools }] })).toMatchObject(refused('input'));
    const all = await access.newKey({ models: ['openai/*'] });
    expect(await post('/v1/responses', { model: gpt, input: 'Go.', tools }, all.authorization)).toMatchObject(
      answered,
    );
  });

  test.each([
    ['/v1/responses', { model: gpt, input: 'Hello.' }, gpt],
    ['/v1/embeddings', { model: embedder, input: 'Hello.' }, embedder],
    ['/v1/images/generations', { model: 'openai/gpt-image-1.5', prompt: 'A cat.' }, 'openai/gpt-image-1.5'],
  ])('are checked for %s', async (path, body, model) => {
    const { authorization } = await access.newKey({ models: ['anthropic/*'] });
    expect(await post(path, body, authorization)).toMatchObject(denied('model_not_allowed', 'model', model));
  });

  test('that are unknown are a 404 for every key', async () => {
    const { authorization } = await access.newKey({ models: ['anthropic/*'] });
    expect(await chat(authorization, 'openai/unheard-of')).toMatchObject({ status: 404, asked: 0 });
  });
});

describe('the last use of a key', () => {
  const lastUse = async (id: string) => (await access.keyEdits().find(id))?.lastUsedAt;
  const thisMinute = () => Math.floor(Date.now() / 60_000) * 60;

  test.each([false, true])(
    'is stored to the minute when the answer has arrived (stream: %s)',
    async (stream) => {
      const { id, authorization } = await access.newKey();
      expect(await lastUse(id)).toBeUndefined();
      const before = thisMinute();
      await (
        await gateway.post('/v1/chat/completions', { model: gpt, messages, stream }, { authorization })
      ).text();
      const used = await lastUse(id);
      expect([before, thisMinute()]).toContain(used);
    },
  );

  test('includes requests that were rejected for their content', async () => {
    const { id, authorization } = await access.newKey({ models: [claude] });
    expect(await chat(authorization)).toMatchObject({ status: 403 });
    expect(await lastUse(id)).toBeDefined();
  });
});
