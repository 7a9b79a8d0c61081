/**
 * Fields that clients of many providers send in chat: each reaches the providers that have it, under the provider's own name, and is
 * left out on record elsewhere.
 */
import { describe, expect, test } from 'vitest';
import { readChatStream } from '../harness/chat-stream.ts';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const adaptive = 'anthropic/claude-opus-5';
const budget = 'anthropic/claude-haiku-4-5';
const bedrockClaude = 'anthropic/claude-haiku-4-5:bedrock';
const nova = 'amazon/nova-pro';
const plain = 'openai/gpt-4.1';
const gemini25 = 'google/gemini-2.5-flash';
const gemini3 = 'google/gemini-3.5-flash';

const gateway = useWatchedGateway(bedrockClaude);

interface Record {
  readonly param: string;
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
}

interface Answer {
  readonly error?: { readonly param: string; readonly message: string };
  readonly choices?: readonly {
    readonly message: { readonly reasoning_content?: string; readonly reasoning_details?: readonly object[] };
  }[];
  readonly debug?: { readonly normalizations: readonly Record[] };
}

const user = { role: 'user', content: 'What is the weather?' };
const tools = [
  { type: 'function', function: { name: 'weather' } },
  { type: 'function', function: { name: 'time' } },
];

async function ask(model: string, fields: object, extra: object = {}) {
  gateway.take();
  const body = { model, messages: [user], extra: { debug: ['normalizations'], ...extra }, ...fields };
  const response = await gateway.post('/v1/chat/completions', body);
  const answer = (await response.json()) as Answer;
  const records = answer.debug?.normalizations ?? [];
  const sent = (gateway.take().at(-1)?.body ?? {}) as { readonly [name: string]: unknown };
  return { status: response.status, answer, records, sent };
}

const platform = {
  verbosity: 'low',
  prompt_cache_key: 'conversation-1',
  prompt_cache_retention: '24h',
  prompt_cache_options: { mode: 'implicit' },
  safety_identifier: 'someone',
};

describe("fields of OpenAI's platform", () => {
  test('reach a model of OpenAI that reasons', async () => {
    const { status, sent, records } = await ask('openai/gpt-5.1', platform);
    expect([status, records]).toEqual([200, []]);
    const { text, ...others } = sent as { readonly text?: object };
    expect({ ...others, ...text }).toMatchObject(platform);
  });

  test.each([adaptive, bedrockClaude, nova, gemini3, 'mistral/mistral-large-2512'])(
    'are left out on record for %s, which has at most one of them',
    async (model) => {
      const { status, sent, records } = await ask(model, platform);
      expect(status).toBe(200);
      const stripped = records.filter(({ action }) => action === 'strip').map(({ param }) => param);
      const kept = model.startsWith('mistral') ? ['prompt_cache_key'] : [];
      expect(stripped.toSorted()).toEqual(
        Object.keys(platform)
          .filter((name) => !kept.includes(name))
          .toSorted(),
      );
      expect(Object.keys(sent).filter((name) => name in platform)).toEqual([]);
    },
  );

  test('a safety identifier is the end user on Claude, unless there is one', async () => {
    const { sent, records } = await ask(adaptive, { safety_identifier: 'someone' });
    expect(sent.metadata).toEqual({ user_id: 'someone' });
    expect(records.map(({ param, action }) => [param, action])).toEqual([
      ['user', 'add'],
      ['safety_identifier', 'strip'],
    ]);
    const both = await ask(adaptive, { safety_identifier: 'someone', user: 'ann' });
    expect(both.sent.metadata).toEqual({ user_id: 'ann' });
  });

  test('a model without verbosity gets the only one it has, on record', async () => {
    const { status, sent, records } = await ask(plain, { verbosity: 'high' });
    expect(status).toBe(200);
    expect(JSON.stringify(sent)).not.toContain('high');
    expect(records).toMatchObject([{ param: 'verbosity', before: 'high', after: 'medium' }]);
  });

  const prediction = { type: 'content', content: 'It rains.' };

  test('a prediction reaches a model that takes it, and is left out on record beside tools', async () => {
    const alone = await ask(plain, { prediction });
    expect([alone.status, alone.sent.prediction, alone.records]).toEqual([200, prediction, []]);
    for (const [model, more] of [
      [plain, { tools }],
      ['openai/gpt-5.1', {}],
      [adaptive, {}],
    ] as const) {
      const { status, records } = await ask(model, { prediction, ...more });
      expect(status).toBe(200);
      expect(records).toContainEqual(expect.objectContaining({ param: 'prediction', action: 'strip' }));
    }
  });

  test('moderation reaches OpenAI, and no provider that does not make it', async () => {
    const moderation = { model: 'omni-moderation-latest' };
    const { status, sent } = await ask(plain, { moderation });
    expect([status, sent.moderation]).toEqual([200, moderation]);
    const other = await ask(adaptive, { moderation }, { normalize: false });
    expect(other.status).toBe(200);
    expect(other.records).toMatchObject([{ param: 'moderation', action: 'strip' }]);
    expect(other.sent.moderation).toBeUndefined();
  });

  test('a text modality changes nothing, and another one is refused by name', async () => {
    const { status, sent, records } = await ask(plain, { modalities: ['text'], audio: null });
    expect([status, records, 'modalities' in sent]).toEqual([200, [], false]);
    const refused = await ask(plain, { modalities: ['text', 'audio'], audio: { voice: 'alloy' } });
    expect([refused.status, refused.answer.error?.param]).toEqual([400, 'modalities.1']);
  });

  test('a stream has no obfuscation to leave out', async () => {
    const options = { include_usage: true, include_obfuscation: false };
    const body = { model: plain, messages: [user], stream: true, stream_options: options };
    const response = await gateway.post('/v1/chat/completions', body);
    expect(response.status).toBe(200);
    expect(readChatStream(await response.text()).usage).toBeDefined();
  });
});

describe('sampling of open models', () => {
  const sampling = { top_k: 20, min_p: 0.1, repetition_penalty: 1.1 };

  test.each([
    [bedrockClaude, { additionalModelRequestFields: { top_k: 20 } }],
    [nova, { additionalModelRequestFields: { inferenceConfig: { topK: 20 } } }],
    [gemini25, { generationConfig: { topK: 20 } }],
    [budget, { top_k: 20 }],
  ])('%s has top_k alone', async (model, expected) => {
    const { status, sent, records } = await ask(model, sampling);
    expect(status).toBe(200);
    expect(sent).toMatchObject(expected);
    expect(records.map(({ param }) => param)).toEqual(['min_p', 'repetition_penalty']);
  });

  test.each([plain, 'openai/gpt-5.1', adaptive, 'mistral/mistral-large-2512', 'groq'])(
    '%s has none of them',
    async (model) => {
      const { status, records } = await ask(model === 'groq' ? 'qwen/qwen3.8-27b' : model, sampling);
      expect(status).toBe(200);
      expect(records.map(({ param }) => param).toSorted()).toEqual(Object.keys(sampling).toSorted());
    },
  );

  test('Claude has no top_k while it thinks', async () => {
    const { status, records } = await ask(budget, { top_k: 20, reasoning_effort: 'high' });
    expect(status).toBe(200);
    expect(records).toContainEqual(expect.objectContaining({ param: 'top_k', action: 'strip' }));
  });

  test('a host of open models has all of them', async () => {
    const { status, records } = await ask('meta/llama-4-maverick', sampling);
    expect([status, records]).toEqual([200, []]);
  });
});

describe('reasoning in the forms of other APIs', () => {
  test.each([
    ['reasoning.max_tokens', { reasoning: { max_tokens: 5000 } }],
    ['thinking.budget_tokens', { thinking: { type: 'enabled', budget_tokens: 5000 } }],
  ])('%s is the budget of a model that takes one', async (path, fields) => {
    const claude = await ask(budget, fields);
    expect([claude.status, claude.records]).toEqual([200, []]);
    expect(claude.sent.thinking).toEqual({ type: 'enabled', budget_tokens: 5000 });
    const bedrock = await ask(bedrockClaude, fields);
    expect(bedrock.sent).toMatchObject({
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 5000 } },
    });
    const gemini = await ask(gemini25, fields);
    expect(gemini.sent).toMatchObject({
      generationConfig: { thinkingConfig: { thinkingBudget: 5000, includeThoughts: true } },
    });
    const low = await ask(budget, { ...fields, max_completion_tokens: 3000 });
    expect(low.status).toBe(200);
    expect(low.sent.thinking).toEqual({ type: 'enabled', budget_tokens: 2999 });
    expect(low.records).toMatchObject([{ param: path, before: 5000, after: 2999 }]);
  });

  test.each([
    ['openai/gpt-5.1', 5000, 'low'],
    ['openai/gpt-5.1', 14_000, 'high'],
    [gemini3, 1800, 'low'],
    [adaptive, 60_000, 'max'],
  ])('%s takes the effort nearest to %i tokens, on record', async (model, tokens, effort) => {
    const { status, sent, records } = await ask(model, { reasoning: { max_tokens: tokens } });
    expect(status).toBe(200);
    expect(JSON.stringify(sent)).toContain(`"${effort}"`);
    expect(records).toMatchObject([
      { param: 'reasoning_effort', action: 'add', after: effort },
      { param: 'reasoning.max_tokens', action: 'strip', before: tokens },
    ]);
  });

  test('a model without reasoning gets neither, on record', async () => {
    const { status, records } = await ask(plain, { thinking: { type: 'enabled', budget_tokens: 5000 } });
    expect(status).toBe(200);
    expect(records).toMatchObject([{ param: 'thinking.budget_tokens', action: 'strip' }]);
  });

  test('two efforts that contradict each other are refused by name', async () => {
    const { status, answer } = await ask(budget, { reasoning_effort: 'low', reasoning: { effort: 'high' } });
    expect([status, answer.error?.param]).toEqual([400, 'reasoning.effort']);
  });

  test('excluded reasoning is not shown; with tools, what the provider needs back is', async () => {
    const shown = await ask(budget, { reasoning: { max_tokens: 5000 } });
    expect(shown.answer.choices?.[0]?.message.reasoning_content).toBeTruthy();
    const hidden = await ask(budget, { reasoning: { max_tokens: 5000, exclude: true } });
    const [choice] = hidden.answer.choices ?? [];
    expect(choice?.message.reasoning_content ?? '').toBe('');
    expect(choice?.message.reasoning_details ?? []).toEqual([]);
    const withTools = await ask(budget, { tools, reasoning: { max_tokens: 5000, exclude: true } });
    const [second] = withTools.answer.choices ?? [];
    expect(second?.message.reasoning_content ?? '').toBe('');
    expect(second?.message.reasoning_details).toMatchObject([{ signature: expect.any(String) }]);
  });
});

describe('service tiers', () => {
  interface Costly {
    readonly service_tier?: string;
    readonly usage: { readonly cost: number | null };
  }

  const costOf = async (model: string, tier: string | null) => {
    const { status, answer, records, sent } = await ask(model, {
      service_tier: tier,
      usage: { include: true },
    });
    return { status, records, sent, ...(answer as unknown as Costly) };
  };

  test('one that the catalog has no prices of has an unknown cost, and no other', async () => {
    const usual = await costOf('openai/gpt-5.2-pro', null);
    expect(usual.usage.cost).toBeGreaterThan(0);
    for (const tier of ['priority', 'flex']) {
      const { status, sent, usage, service_tier } = await costOf('openai/gpt-5.2-pro', tier);
      expect([status, sent.service_tier, service_tier, usage.cost]).toEqual([200, tier, tier, null]);
    }
  });

  test('one that the catalog has prices of costs those', async () => {
    const [usual, flex] = [await costOf('openai/gpt-5.1', null), await costOf('openai/gpt-5.1', 'flex')];
    expect(flex.usage.cost).toBeCloseTo((usual.usage.cost ?? 0) / 2, 12);
  });

  test.each(['priority', 'flex'])(
    '%s without prices has an unknown cost also where upstream does not report it',
    async (tier) => {
      const { status, usage, service_tier } = await costOf('amazon/nova-micro', tier);
      expect([status, service_tier, usage.cost]).toEqual([200, undefined, null]);
    },
  );

  test('standard is another name of the default', async () => {
    const { status, sent, usage } = await costOf('openai/gpt-5.1', 'standard');
    expect([status, sent.service_tier]).toEqual([200, 'default']);
    expect(usage.cost).toBeGreaterThan(0);
  });

  test('priority is what Claude does by itself, on record', async () => {
    const { status, sent, records } = await costOf(adaptive, 'priority');
    expect([status, sent.service_tier]).toEqual([200, 'auto']);
    expect(records).toMatchObject([{ param: 'service_tier', before: 'priority', after: 'auto' }]);
  });

  test.each([
    ['flex', 0.5],
    ['priority', 1.8],
  ])('%s of Gemini has a field and prices of its own', async (tier, factor) => {
    const usual = await costOf(gemini3, null);
    const { status, sent, records, usage, service_tier } = await costOf(gemini3, tier);
    expect([status, sent.serviceTier, service_tier, records]).toEqual([200, tier, tier, []]);
    expect(usage.cost).toBeCloseTo((usual.usage.cost ?? 0) * factor, 9);
  });

  test.each([
    [gemini3, 'scale'],
    [gemini3, 'auto'],
    ['mistral/mistral-large-2512', 'priority'],
  ])('%s has no tier %s, on record', async (model, tier) => {
    const { status, records } = await costOf(model, tier);
    expect(status).toBe(200);
    expect(records).toContainEqual(expect.objectContaining({ param: 'service_tier', action: 'strip' }));
  });
});

describe('web_search_options', () => {
  const options = {
    search_context_size: 'low',
    user_location: { type: 'approximate', approximate: { country: 'DE' } },
  };

  test('let a model search that can', async () => {
    const claude = await ask(adaptive, { web_search_options: options });
    expect(claude.status).toBe(200);
    expect(claude.sent.tools).toMatchObject([{ name: 'web_search', user_location: { country: 'DE' } }]);
    expect(claude.records.map(({ param }) => param)).toContain('web_search_options.search_context_size');
    const gemini = await ask(gemini3, { web_search_options: {} });
    expect([gemini.status, gemini.sent.tools]).toEqual([200, [{ googleSearch: {} }]]);
    const gpt = await ask('openai/gpt-5.1', { web_search_options: options });
    expect([gpt.status, gpt.sent.tools]).toMatchObject([
      200,
      [{ type: 'web_search', search_context_size: 'low' }],
    ]);
  });

  test('are refused by name where the model has no search', async () => {
    const { status, answer } = await ask('mistral/mistral-large-2512', { web_search_options: options });
    expect([status, answer.error?.param]).toEqual([400, 'web_search_options']);
  });
});
