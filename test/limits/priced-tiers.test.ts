/** What an answer says of its price decides its cost, and what a request asks for decides what is reserved. Through the gateway. */
import { beforeAll, expect, test } from 'vitest';
import { connectDatabase } from '../../infra/local/database-call.ts';
import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { openLedger } from '../harness/ledger.ts';
import { settled } from '../harness/settled.ts';
import { answerJson } from '../harness/upstream.ts';
import { useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();
const model = 'acme/tiers';

/** gpt-5.5 as on developers.openai.com/api/docs/pricing, and hours of its own. */
const row = {
  id: model,
  created: '2026-01-01',
  status: 'active',
  endpoints: ['chat_completions', 'responses'],
  modalities: { input: ['text'], output: ['text'] },
  limits: { context: 1_050_000, input: null, output: 128_000 },
  traits: {},
  price: {
    input: 5,
    output: 30,
    tiers: [{ aboveInputTokens: 272_000, input: 10, output: 45 }],
    serviceTiers: { flex: { input: 2.5, output: 15 }, priority: { input: 12.5, output: 75 } },
    hostedTools: { code_interpreter: 30 },
  },
  deployments: [{ provider: 'openai', region: 'global', upstreamId: 'gpt-5.5' }],
};

beforeAll(async () => {
  const { call, close } = connectDatabase(process.env.DYNAMODB_ENDPOINT ?? '');
  await createCatalogStore({ call, table: 'catalog' }).put(row, { source: 'operator' });
  await close();
});

const dollar = 1_000_000_000;

async function recordOf(tier: string, asked?: string) {
  const usage = { prompt_tokens: 100_000, completion_tokens: 2_000, total_tokens: 102_000 };
  const message = { role: 'assistant', content: 'Yes.' };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  gateway.upstream.script(answerJson({ id: 'one', choices, usage, service_tier: tier }));
  const made = await gateway.newKey({ tenant: { monthlyBudget: 100 * dollar } });
  const messages = [{ role: 'user', content: 'Well?' }];
  const body = { model, max_completion_tokens: 2_000, messages, ...(asked && { service_tier: asked }) };
  expect((await gateway.ask(made.secret, body)).status).toBe(200);
  const ledger = openLedger();
  const [record] = await ledger.recordsOf(made.tenant.id);
  await ledger.close();
  return record;
}

test.each([
  ['default', undefined, 0.56],
  ['flex', 'flex', 0.28],
  // OpenAI answers a request for flex in the usual tier where flex has no room.
  ['default', 'flex', 0.56],
  ['priority', 'auto', 1.4],
  ['ultrafast', 'auto', null],
])('an answer in the tier %s to a request for %s', async (tier, asked, dollars) => {
  const record = await recordOf(tier, asked);
  expect(record?.cost).toBe(dollars === null ? null : dollars * dollar);
});

async function statusWith(monthlyBudget: number, more: object, path = '/v1/chat/completions') {
  const { secret } = await gateway.newKey({ key: { monthlyBudget } });
  const response = await gateway.ask(secret, { model, ...more }, { path });
  await settled();
  return response.status;
}

const hello = { messages: [{ role: 'user', content: 'Hello' }], max_completion_tokens: 128_000 };

test('a short prompt is reserved at the prices for short prompts', async () => {
  // All of its output is 3.84 dollars, and 5.76 at the prices for long prompts.
  expect(await statusWith(3.85 * dollar, hello)).toBe(200);
});

test('a tool with a price is reserved, and one that may be called less often costs less', async () => {
  const tools = [{ type: 'code_interpreter', container: { type: 'auto' } }];
  const body = { input: 'Go.', tools, max_output_tokens: 16 };
  // Sixteen calls at 0.03 dollars each, or two.
  const ask = (budget: number, more: object) => statusWith(budget, { ...body, ...more }, '/v1/responses');
  expect(await ask(0.4 * dollar, {})).toBe(429);
  expect(gateway.upstream.requests).toHaveLength(0);
  await ask(0.4 * dollar, { max_tool_calls: 2 });
  expect(gateway.upstream.requests).not.toHaveLength(0);
});
