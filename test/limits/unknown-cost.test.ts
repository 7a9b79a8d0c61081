/** Requests whose maximum cost nobody knows: a budget refuses them, however they ask for what has no price. */
import { expect, test } from 'vitest';
import { useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();

const model = 'openai/gpt-4.1';
const tools = [{ type: 'image_generation' }];

const codeOf = async (body: object) => {
  const { secret } = await gateway.newKey({ key: { monthlyBudget: 1e15 } });
  const response = await gateway.ask(secret, { model, ...body }, { path: '/v1/responses' });
  const { error } = (await response.json()) as { error?: { code: string } };
  return error?.code;
};

test.each<[string, object]>([
  ['a tool of the provider', { tools }],
  [
    'a server of tools',
    { tools: [{ type: 'mcp', server_label: 'docs', server_url: 'https://docs.example' }] },
  ],
  ['a tier without a price', { service_tier: 'scale' }],
  ["a tool in the provider's own fields", { native_fields: { tools } }],
  ["a tier in the provider's own fields", { native_fields: { serviceTier: 'priority' } }],
  ["a prompt of the provider's", { native_fields: { prompt: { id: 'pmpt_1' } } }],
  ['more searches', { native_fields: { maxToolCalls: 1_000 } }],
  ['a field that is newer than the gateway', { native_fields: { ultra: { mode: true } } }],
])('%s, also where the answer may be asked for twice', async (_, body) => {
  for (const extra of [{}, { repair: true }]) {
    expect(await codeOf({ input: 'Go.', ...body, extra })).toBe('price_unknown');
  }
  expect(gateway.upstream.requests).toHaveLength(0);
});

test.each(['additional_tools', 'tool_search_output'])('tools in an item %s', async (type) => {
  const go = { role: 'user', content: 'Go.' };
  expect(await codeOf({ input: [go, { type, tools }] })).toBe('price_unknown');
  expect(await codeOf({ input: [go, { type, tools: [{ type: 'web_search' }] }] })).toBe('price_unknown');
  expect(await codeOf({ input: [go, { type, tools: [{ type: 'function', name: 'wait' }] }] })).not.toBe(
    'price_unknown',
  );
});

test("the length of an answer in the provider's own fields takes precedence over the caller's limit", async () => {
  const body = { model, input: 'Go.', max_output_tokens: 16 };
  const { secret } = await gateway.newKey({ key: { monthlyBudget: 20_000_000 } });
  const ask = (more: object) => gateway.ask(secret, { ...body, ...more }, { path: '/v1/responses' });
  expect((await ask({})).status).not.toBe(429);
  expect((await ask({ native_fields: { max_output_tokens: 30_000 } })).status).toBe(429);
});

test("harmless fields of the provider's own leave the bound as it is", async () => {
  const native_fields = { top_k: 5, metadata: { tools: 'none' }, reasoning: { summary: 'auto' } };
  expect(await codeOf({ input: 'Go.', max_output_tokens: 16, native_fields })).not.toBe('price_unknown');
});
