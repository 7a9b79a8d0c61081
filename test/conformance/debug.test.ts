/** The `debug` object of an answer: only what was requested, and nothing on errors. */
import { beforeAll, describe, expect, test } from 'vitest';
import { readChatStream } from '../harness/chat-stream.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { putModels } from '../harness/matrix/catalog.ts';
import { use } from '../harness/use.ts';

const gateway = use(() =>
  startTestGateway({
    // No server listens there.
    ANTHROPIC_UPSTREAM_URL: 'http://127.0.0.1:1',
    ANTHROPIC_API_KEY: 'a-provider-key',
  }),
);
beforeAll(async () => {
  await putModels({
    'faults/out-of-reach': [{ provider: 'anthropic', upstreamId: 'one' }],
    // New models, so that no health information about them exists.
    'faults/fresh-true': [{ provider: 'anthropic', upstreamId: 'fresh-true' }],
    'faults/fresh-false': [{ provider: 'anthropic', upstreamId: 'fresh-false' }],
    'faults/missing': [{ provider: 'missing', upstreamId: 'one' }],
  });
});

const categories = ['normalizations', 'deprecations', 'routing'];
const fallbacks = ['openai/gpt-4.1', 'openai/gpt-4.1-mini', 'openai/gpt-4o', 'faults/missing'];
const request = {
  model: 'faults/out-of-reach',
  messages: [{ role: 'user', content: 'Hello' }],
  max_tokens: 50,
};

interface Debug {
  readonly normalizations?: readonly object[];
  readonly deprecations?: readonly object[];
  readonly routing?: readonly object[];
}

async function debugOf(stream: boolean, extra: object, more: object = {}): Promise<Debug | undefined> {
  const response = await gateway.post('/v1/chat/completions', { ...request, stream, extra, ...more });
  expect(response.status).toBe(200);
  if (!stream) return ((await response.json()) as { readonly debug?: Debug }).debug;
  return readChatStream(await response.text()).chunks.at(-1)?.debug;
}

describe.each([
  { form: 'a body', stream: false },
  { form: 'a stream', stream: true },
])('in $form', ({ stream }) => {
  test.each(categories)('%s is returned alone if requested alone', async (category) => {
    const debug = await debugOf(stream, { fallbacks, debug: [category] });
    expect(Object.keys(debug ?? {})).toEqual([category]);
  });

  test('there is no debug object if none was requested', async () => {
    expect(await debugOf(stream, { fallbacks })).toBeUndefined();
    expect(await debugOf(stream, { fallbacks, debug: [] })).toBeUndefined();
  });

  test('routing lists every attempt in order, with its model, its time, and why it failed', async () => {
    const model = `faults/fresh-${stream}`;
    const debug = await debugOf(stream, { fallbacks, debug: ['routing'] }, { model });
    const failed = {
      provider: 'anthropic',
      region: 'global',
      status: 'failed',
      model,
      reason: 'provider_unreachable',
      latency_ms: expect.any(Number),
    };
    const { reason: _, ...other } = failed;
    const succeeded = { ...other, provider: 'openai', status: 'succeeded', model: 'openai/gpt-4.1' };
    expect(debug?.routing).toEqual([failed, failed, succeeded]);
  });

  test('routing lists skipped fallbacks, each with the reason', async () => {
    const debug = await debugOf(stream, { fallbacks, debug: ['normalizations'] });
    const reported = { param: 'extra.fallbacks', action: 'override', reason: expect.any(String) };
    const [first, second, third] = fallbacks;
    expect(debug?.normalizations?.slice(0, 2)).toEqual([
      { ...reported, before: fallbacks, after: [first, second, third] },
      { ...reported, before: [first, second, third], after: [first, second] },
    ]);
  });

  test('deprecations list deprecated fields and models', async () => {
    const debug = await debugOf(stream, { fallbacks, debug: ['deprecations'] });
    expect(debug?.deprecations).toEqual([
      { param: 'max_tokens', message: expect.any(String) },
      { param: 'model', message: expect.stringContaining('openai/gpt-4.1') },
    ]);
  });

  test('there is no debug object on an error', async () => {
    const response = await gateway.post('/v1/chat/completions', {
      ...request,
      stream,
      extra: { debug: categories },
    });
    expect(response.status).toBe(503);
    expect(Object.keys((await response.json()) as object)).toEqual(['error']);
  });
});
