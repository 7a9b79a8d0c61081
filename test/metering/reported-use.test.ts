/** What the answers of providers say of their price reaches the ledger. Tested through the local gateway and the sandbox. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { LedgerAttempt } from '../../lib/core/accounting/ledger.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { addPinnedModels } from '../harness/matrix/pinned-models.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway();
const bedrock = 'anthropic/claude-opus-4-8:bedrock';
const vertex = 'anthropic/claude-opus-4-8:google-vertex-anthropic';
const openrouter = 'meta/llama-4-maverick';

const ledger = use(openLedger);
beforeAll(async () => {
  await addPinnedModels(bedrock, vertex);
});

async function attemptOf(body: object, path = '/v1/chat/completions'): Promise<LedgerAttempt | undefined> {
  const response = await gateway().post(path, body);
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.any(String)]);
  const records = await ledger.recordsOf('local');
  const record = records.find(({ requestId }) => requestId === response.headers.get('x-request-id'));
  return record?.attempts.at(-1);
}

const ask = (model: string, more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'Hello.' }],
  ...more,
});

let prefixes = 0;

/** A prefix that no request had before. */
function prefixed(model: string, ttl?: string): object {
  prefixes += 1;
  const text = `Case ${prefixes}. ${'All the rules of the house. '.repeat(800)}`;
  const cache_control = { type: 'ephemeral', ...(ttl && { ttl }) };
  return ask(model, {
    messages: [
      { role: 'system', content: [{ type: 'text', text, cache_control }] },
      { role: 'user', content: 'Hello.' },
    ],
  });
}

describe.each([
  ['Anthropic', 'anthropic/claude-haiku-4-5'],
  ['Bedrock', bedrock],
  ['Vertex', vertex],
])('a prefix that is cached at %s', (_, model) => {
  test.each([{ stream: false }, { stream: true }])('for an hour is counted apart: %j', async (form) => {
    const hour = await attemptOf({ ...prefixed(model, '1h'), ...form });
    expect(hour?.usage?.cacheWriteHourTokens).toBeGreaterThan(1_000);
    expect(hour?.usage?.cacheWriteHourTokens).toBe(hour?.usage?.cacheWriteTokens);
  });

  test('for five minutes is not', async () => {
    const short = await attemptOf(prefixed(model));
    expect(short?.usage?.cacheWriteTokens).toBeGreaterThan(1_000);
    expect(short?.usage).not.toHaveProperty('cacheWriteHourTokens');
  });
});

describe('a cost that the host states', () => {
  test.each([
    ['OpenRouter', openrouter, '/v1/chat/completions'],
    ['xAI', 'xai/grok-4.3', '/v1/chat/completions'],
  ])('is in the record: %s', async (_, model, path) => {
    for (const stream of [false, true]) {
      const usage = (await attemptOf(ask(model, { stream }), path))?.usage;
      const tokens = (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0);
      // The sandbox states a dollar for a million tokens.
      expect(usage?.statedCost).toBe(tokens * 1_000);
    }
  });

  test('is in the record of a response of xAI', async () => {
    const usage = (await attemptOf({ model: 'xai/grok-4.3', input: 'Hello.' }, '/v1/responses'))?.usage;
    expect(usage?.statedCost).toBeGreaterThan(0);
  });
});
