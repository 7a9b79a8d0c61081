/** The tier that an answer names is the one that is billed, whatever was asked for. Tested through the local gateway. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { answerPieces, useProtocolGateway } from '../harness/gateways/protocol-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { sse } from '../harness/protocols/step.ts';
import { textModel } from '../harness/text-model.ts';
import { answerJson, type UpstreamScript } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

const protocols = useProtocolGateway();

const prices = { input: 4, output: 8 };
const serviceTiers = { flex: { input: 2, output: 4 }, priority: { input: 8, output: 16 } };
const row = (name: string, provider: string, upstreamId: string) =>
  textModel(`tiers/${name}`, { provider, upstreamId }, { price: { ...prices, serviceTiers } });

const ledger = use(openLedger);
beforeAll(async () => {
  const catalog = createCatalogStore({ call: ledger.call, table: 'catalog' });
  await catalog.put(row('openai', 'openai', 'gpt-5.5'), { source: 'operator' });
  await catalog.put(row('claude', 'anthropic', 'claude-opus-4-6'), { source: 'operator' });
  await catalog.put(row('gemini', 'google', 'gemini-2.5-flash'), { source: 'operator' });
});

async function attemptOf(model: string, script: UpstreamScript, more: object = {}) {
  protocols.upstream.script(script);
  const body = { model: `tiers/${model}`, messages: [{ role: 'user', content: 'Hello.' }], ...more };
  const response = await protocols.gateway.post('/v1/chat/completions', body);
  await response.text();
  const records = await ledger.recordsOf('local');
  const record = records.find(({ requestId }) => requestId === response.headers.get('x-request-id'));
  return record?.attempts.at(-1);
}

/** 100 tokens in and 10 out, in nano-dollars. */
const plain = 100 * 4_000 + 10 * 8_000;

const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const message = { role: 'assistant', content: 'Hi.' };
const chat = (more: object) =>
  answerJson({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage, ...more });
const claude = (more: object) =>
  answerJson({
    id: 'msg_1',
    type: 'message',
    content: [{ type: 'text', text: 'Hi.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 100, output_tokens: 10, ...more },
  });
const gemini = (more: object) =>
  answerJson({
    candidates: [{ content: { parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110, ...more },
  });

describe('the cost of an answer is that of the tier', () => {
  test.each<[string, string, UpstreamScript, object, string | undefined, number | null]>([
    ['that it names', 'openai', chat({ service_tier: 'flex' }), {}, 'flex', plain / 2],
    [
      'it names, not of the one asked for',
      'openai',
      chat({ service_tier: 'default' }),
      { service_tier: 'priority' },
      'default',
      plain,
    ],
    [
      'it names beside the default',
      'openai',
      chat({ service_tier: 'priority' }),
      { service_tier: 'auto' },
      'priority',
      2 * plain,
    ],
    [
      'asked for, where it names none',
      'openai',
      chat({}),
      { service_tier: 'priority' },
      'priority',
      2 * plain,
    ],
    ['that has no price: unknown', 'openai', chat({ service_tier: 'scale' }), {}, 'scale', null],
    ['that is newer than the gateway: unknown', 'openai', chat({ service_tier: 'warp' }), {}, 'warp', null],
    ['of Claude', 'claude', claude({ service_tier: 'priority' }), {}, 'priority', 2 * plain],
    [
      'of Claude in its fast mode: unknown',
      'claude',
      claude({ service_tier: 'standard', speed: 'fast' }),
      {},
      'fast',
      null,
    ],
    [
      'of Claude, the default',
      'claude',
      claude({ service_tier: 'standard', speed: 'standard' }),
      {},
      'default',
      plain,
    ],
    ['of Gemini', 'gemini', gemini({ serviceTier: 'flex' }), {}, 'flex', plain / 2],
    ['of Gemini, the default', 'gemini', gemini({ serviceTier: 'standard' }), {}, 'default', plain],
  ])('%s', async (_, model, script, more, tier, cost) => {
    const attempt = await attemptOf(model, script, more);
    expect([attempt?.tier, attempt?.cost]).toEqual([tier, cost]);
  });
});

describe("a tier that is asked for in the provider's own fields", () => {
  const native_fields = { service_tier: 'priority' };

  test('is billed as the answer names it', async () => {
    expect(await attemptOf('openai', chat({ service_tier: 'priority' }), { native_fields })).toMatchObject({
      tier: 'priority',
      cost: 2 * plain,
    });
  });

  test('counts where the answer does not name it', async () => {
    const attempt = await attemptOf('openai', chat({}), { native_fields });
    expect([attempt?.tier, attempt?.cost]).toEqual(['priority', 2 * plain]);
  });

  test('counts where the answer breaks off', async () => {
    const begun = sse({ choices: [{ delta: { content: 'Hi.' } }] });
    const script = answerPieces([begun, 'cut'], 'text/event-stream');
    expect(await attemptOf('openai', script, { native_fields, stream: true })).toMatchObject({
      tier: 'priority',
      estimated: true,
    });
  });
});

test('a stream of Gemini that breaks off has the tier that it began with', async () => {
  const begun = sse({
    candidates: [{ content: { parts: [{ text: 'Hi.' }] } }],
    usageMetadata: { promptTokenCount: 100, serviceTier: 'flex' },
  });
  const attempt = await attemptOf('gemini', answerPieces([begun, 'cut'], 'text/event-stream'), {
    stream: true,
  });
  expect(attempt).toMatchObject({ tier: 'flex', estimated: true });
});

test('the last tier of a stream counts', async () => {
  const chunk = (delta: object, more: object) => sse({ choices: [{ index: 0, delta, ...more }], ...more });
  const stream = answerPieces(
    [
      chunk({ content: 'Hi.' }, { service_tier: 'auto' }),
      sse({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], service_tier: 'flex' }),
      sse({ choices: [], usage }),
      sse('[DONE]'),
    ],
    'text/event-stream',
  );
  expect(await attemptOf('openai', stream, { stream: true })).toMatchObject({
    tier: 'flex',
    cost: plain / 2,
  });
});

test('an answer that cannot be read is billed by its counts and its tier', async () => {
  const broken = answerJson({ choices: [], usage, service_tier: 'priority' });
  expect(await attemptOf('openai', broken)).toMatchObject({ tier: 'priority', cost: 2 * plain });
});
