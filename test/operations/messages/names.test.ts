/** The names by which Anthropic's clients call models. */
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../harness/gateways/gateway.ts';
import { putModels } from '../../harness/matrix/catalog.ts';
import { postMessages } from '../../harness/messages.ts';
import { use } from '../../harness/use.ts';

const gateway = use(() => startTestGateway());
beforeAll(async () => {
  await putModels({
    'one/claude-shared': [{ provider: 'anthropic', upstreamId: 'claude-haiku-4-5' }],
    'two/claude-shared': [{ provider: 'openai', upstreamId: 'gpt-4.1' }],
  });
});

interface Answer {
  readonly model: string;
  readonly debug?: { readonly normalizations: readonly object[] };
  readonly error: { readonly type: string; readonly message: string; readonly code: string };
}

const messages = [{ role: 'user', content: 'Hello.' }];

const ask = async (model: string): Promise<Answer> => {
  const response = await postMessages(gateway, { model, extra: { debug: ['normalizations'] } });
  return (await response.json()) as Answer;
};

/** Those that Claude Code 2.1.330 has built in, as far as the catalog has them. */
const builtIn = [
  'claude-fable-5',
  'claude-fable-5-1',
  'claude-opus-5',
  'claude-opus-5-5',
  'claude-opus-4-8',
  'claude-sonnet-5',
  'claude-sonnet-5-5',
  'claude-haiku-5-5',
  'claude-haiku-4-5',
];

test.each([
  ...builtIn.map((name) => [name, `anthropic/${name}`]),
  ['anthropic/claude-opus-5', 'anthropic/claude-opus-5'],
  ['claude-haiku-4-5-20251001', 'anthropic/claude-haiku-4-5'],
  ['anthropic/claude-haiku-4-5-20251001', 'anthropic/claude-haiku-4-5'],
  ['claude-opus-4-5-20251101', 'anthropic/claude-opus-4-5'],
])('%s is %s', async (name, id) => {
  expect((await ask(name)).model).toBe(id);
});

describe('a suffix for a longer context', () => {
  test.each([
    ['claude-opus-5[1m]', 'anthropic/claude-opus-5'],
    ['anthropic/claude-sonnet-5[1M]', 'anthropic/claude-sonnet-5'],
    ['openai/gpt-4.1[1m]', 'openai/gpt-4.1'],
  ])('of %s is left out, on record', async (name, id) => {
    const { model, debug } = await ask(name);
    expect(model).toBe(id);
    expect(debug?.normalizations).toContainEqual(
      expect.objectContaining({ param: 'model', action: 'override', before: name, after: name.slice(0, -4) }),
    );
  });

  test('is left out where tokens are counted, and where one model is asked for', async () => {
    const counted = await gateway.post('/v1/messages/count_tokens', { model: 'claude-opus-5[1m]', messages });
    expect(counted.status, await counted.text()).toBe(200);
    for (const name of ['claude-opus-5[1m]', 'claude-opus-5%5B1m%5D']) {
      const found = await fetch(`${gateway.url}/v1/models/${name}`);
      expect(await found.json()).toMatchObject({ id: 'anthropic/claude-opus-5', type: 'model' });
    }
  });

  test('is a part of the name in other operations', async () => {
    const response = await gateway.post('/v1/chat/completions', { model: 'claude-opus-5[1m]', messages });
    expect(response.status).toBe(404);
  });
});

describe('a name that no model has', () => {
  const refused = async (model: string) => {
    const response = await gateway.post('/v1/messages', { model, max_tokens: 10, messages });
    return { status: response.status, ...((await response.json()) as Answer) };
  };

  test.each([
    ['claude-opus-55', "'anthropic/claude-opus-5'"],
    ['claude-sonnet-4-6-20260217', "'anthropic/claude-sonnet-4-6'"],
  ])('%s is a 404 that names those that are close', async (name, close) => {
    const { status, error } = await refused(name);
    expect([status, error.type, error.code]).toEqual([404, 'not_found_error', 'model_not_found']);
    expect(error.message).toMatch(/^model: The model '/);
    expect(error.message).toContain(close);
  });
});
