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
  ["a tier in the provider's own fields", { native_fields: { serviceTier: 'scale' } }],
  ['longer thought than any limit is known to hold for', { native_fields: { reasoning: { mode: 'pro' } } }],
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

test("harmless fields of the provider's own leave the bound as it is", async () => {
  const native_fields = { top_p: 0.5, metadata: { tools: 'none' }, reasoning: { summary: 'auto' } };
  expect(await codeOf({ input: 'Go.', max_output_tokens: 16, native_fields })).not.toBe('price_unknown');
});
