/** When a fallback model answers, in every protocol, and what is reported if none does. */
import { beforeAll, describe, expect, test } from 'vitest';
import { chatAnswer } from '../harness/chat-answers.ts';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { type ProviderFailure, providerFailures, secrets } from '../harness/matrix/provider-failures.ts';
import { answerJson, type UpstreamRequest } from '../harness/upstream.ts';

/** The name and failure of each upstream model; the others answer. */
const failing = new Map<string, ProviderFailure['answer']>();

const whole = chatAnswer('Hello.');

/** Each case has its own models: one that fails with fallbacks, and one that fails without. */
const cases = providerFailures.map((failure, position) => ({
  ...failure,
  model: `faults/case-${position}`,
  alone: `faults/lonely-${position}`,
}));
const nameOf = (id: string) => id.replace('faults/', '');
/** The model in the path or the body of a call. */
const calledModel = ({ path, body }: UpstreamRequest) =>
  /\/models?\/([\w-]+)/.exec(path)?.[1] ?? String(body.model);

const { gateway, upstream } = useUpstreamGateway(['OPENAI', 'ANTHROPIC', 'GOOGLE', 'BEDROCK']);
beforeAll(async () => {
  upstream.script((request, response) => {
    const { status = 200, headers, body = whole } = failing.get(calledModel(request)) ?? {};
    return answerJson(body, status, headers)(request, response);
  });
  for (const { model, alone, answer } of cases) {
    for (const id of [model, alone]) failing.set(nameOf(id), answer);
  }
  const models = cases.flatMap(({ provider, model, alone }) =>
    [model, alone].map((id) => [id, [{ provider, upstreamId: nameOf(id) }]]),
  );
  await putModels({
    ...Object.fromEntries(models),
    'faults/other': [{ provider: 'openai', upstreamId: 'other' }],
    'faults/spread': ['one', 'two'].map((name, index) => ({
      provider: 'openai',
      upstreamId: `deployment-${name}`,
      equalToPrevious: index > 0,
    })),
  });
});

interface ChatBody {
  readonly model: string;
  readonly debug: { readonly routing: readonly object[] };
  readonly error: { readonly message: string; readonly type: string };
}

const messages = [{ role: 'user', content: 'Hello' }];
const ask = (model: string, more: object = {}, headers: Record<string, string> = {}) =>
  gateway.post('/v1/chat/completions', { model, messages, ...more }, headers);
const callsOf = (id: string) => upstream.requests.filter((request) => calledModel(request) === nameOf(id));

describe.concurrent('with a fallback', () => {
  test.each(cases)('$provider: $name', async ({ model, meaning }) => {
    const extra = { fallbacks: ['faults/other'], debug: ['routing'] };
    const response = await ask(model, { extra });
    const body = (await response.json()) as ChatBody;
    expect(callsOf(model)).toHaveLength(meaning.calls);
    if (meaning.fallsBack) {
      expect([response.status, body.model]).toEqual([200, 'faults/other']);
      expect(body.debug.routing.at(-1)).toMatchObject({ status: 'succeeded', model: 'faults/other' });
      expect(body.debug.routing).toHaveLength(meaning.calls + 1);
    } else {
      expect([response.status, body.error.type]).toEqual([meaning.status, meaning.type]);
    }
  });
});

describe.concurrent('without one', () => {
  test.each(cases)('$provider: $name', async ({ provider, alone, meaning }) => {
    const response = await ask(alone);
    const text = await response.text();
    const { error } = JSON.parse(text);
    expect([response.status, error.type]).toEqual([meaning.status, meaning.type]);
    // A rejected request is explained in the provider's own words.
    if (meaning.status === 400) expect(error.message).not.toBe('');
    else expect(error.message).toMatch(new RegExp(`provider '${provider}'`, 'i'));
    expect(text).not.toMatch(secrets);
    expect(response.headers.has('retry-after')).toBe(meaning.status === 429);
    expect(callsOf(alone)).toHaveLength(meaning.calls);
  });
});

test.each([
  [503, '11', 503, '11'],
  [503, undefined, 503, null],
  [425, '12', 503, '12'],
  [500, '11', 500, null],
])('a provider with status %i and Retry-After %s is a %i with %s', async (status, wait, seen, shown) => {
  const id = `faults/waits-${status}-${wait}`;
  failing.set(nameOf(id), {
    status,
    ...(wait && { headers: { 'retry-after': wait } }),
    body: { error: { message: 'No.' } },
  });
  await putModels({ [id]: [{ provider: 'openai', upstreamId: nameOf(id) }] });
  const response = await ask(id);
  await response.text();
  expect([response.status, response.headers.get('retry-after')]).toEqual([seen, shown]);
});

describe('an answer emptied by a content filter is an answer', () => {
  const filtered: readonly { provider: string; body: object }[] = [
    {
      provider: 'openai',
      body: {
        ...whole,
        choices: [
          { index: 0, message: { role: 'assistant', content: null }, finish_reason: 'content_filter' },
        ],
      },
    },
    {
      provider: 'anthropic',
      body: { type: 'message', content: [], stop_reason: 'refusal', usage: { input_tokens: 1 } },
    },
    { provider: 'google', body: { promptFeedback: { blockReason: 'SAFETY' } } },
    {
      provider: 'bedrock',
      body: {
        output: { message: { role: 'assistant', content: [] } },
        stopReason: 'content_filtered',
        usage: { inputTokens: 1, outputTokens: 0, totalTokens: 1 },
      },
    },
  ];

  test.each(filtered)('$provider', async ({ provider, body }) => {
    const id = `faults/filtered-${provider}`;
    failing.set(nameOf(id), { status: 200, body });
    await putModels({ [id]: [{ provider, upstreamId: nameOf(id) }] });
    const response = await ask(id, { extra: { fallbacks: ['faults/other'] } });
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { model: id, choices: [{ finish_reason: 'content_filter' }] },
    ]);
  });
});

describe('a session', () => {
  const placeOf = async (session: string) => {
    const before = upstream.requests.length;
    await ask('faults/spread', {}, { 'x-gateway-session-id': session });
    return upstream.requests.slice(before).map(calledModel);
  };

  test('stays at one deployment of its model, while other sessions use the other', async () => {
    const used = new Set<string>();
    for (let session = 0; session < 12; session++) {
      const [first = ''] = await placeOf(`session ${session}`);
      expect(await placeOf(`session ${session}`)).toEqual([first]);
      used.add(first);
    }
    expect(used).toEqual(new Set(['deployment-one', 'deployment-two']));
  });

  test('without an id, the cache key of the caller decides', async () => {
    for (let key = 0; key < 4; key++) {
      const before = upstream.requests.length;
      for (const content of ['One', 'Two', 'Three']) {
        await ask('faults/spread', {
          messages: [{ role: 'user', content }],
          prompt_cache_key: `key ${key}`,
        });
      }
      expect(new Set(upstream.requests.slice(before).map(calledModel)).size).toBe(1);
    }
  });

  test('without an id or a key, the beginning of the conversation decides', async () => {
    const used = new Set<string>();
    for (let topic = 0; topic < 12; topic++) {
      const turns = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: `Topic ${topic}` },
      ];
      const before = upstream.requests.length;
      await ask('faults/spread', { messages: turns });
      const later = [...turns, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'Go on.' }];
      await ask('faults/spread', { messages: later });
      const [first = '', second] = upstream.requests.slice(before).map(calledModel);
      expect(second).toBe(first);
      used.add(first);
    }
    expect(used).toEqual(new Set(['deployment-one', 'deployment-two']));
  });
});
