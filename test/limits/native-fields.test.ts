/** Fields of the provider's own protocol pass no budget: what decides the cost is reserved, lowered, or refused. */
import { describe, expect, test } from 'vitest';
import { parseDollars } from '../../lib/core/accounting/money.ts';
import { chatAnswer, chatUsage } from '../harness/chat-answers.ts';
import type { UpstreamScript } from '../harness/upstream.ts';
import { until, useLimitedGateway } from './limited-gateway.ts';

const gateway = useLimitedGateway();

const model = 'openai/gpt-5.5';
const budget = parseDollars('0.01') ?? 0;
const maxWritten = 128_000;

/** Writes as much as it may, which is the worst that a limit has to hold for. */
const writesAll: UpstreamScript = ({ body, path }, response) => {
  const output = Number(
    body.max_output_tokens ?? body.max_completion_tokens ?? body.max_tokens ?? maxWritten,
  );
  const text = { type: 'output_text', text: 'Something.', annotations: [] };
  const message = { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [text] };
  const answer = path.endsWith('/responses')
    ? {
        id: 'resp_1',
        object: 'response',
        status: 'completed',
        model,
        output: [message],
        usage: { input_tokens: 10, output_tokens: output, total_tokens: 10 + output },
      }
    : chatAnswer('Something.', chatUsage(10, output));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
};

const tools = [
  { type: 'mcp', server_label: 'a', server_url: 'https://a.example', require_approval: 'never' },
  { type: 'code_interpreter', container: { type: 'auto' } },
  { type: 'image_generation' },
];

const attacks: readonly object[] = [
  { max_output_tokens: maxWritten },
  { MaxOutputTokens: maxWritten },
  { max_completion_tokens: maxWritten },
  { max_tokens: maxWritten },
  { 'max-output-tokens': maxWritten },
  { service_tier: 'priority' },
  { max_output_tokens: maxWritten, serviceTier: 'fast' },
  { tools },
  { prompt: { id: 'pmpt_1' } },
  { instructions: 'Write a book.' },
  { reasoning: { effort: 'xhigh' } },
  { reasoning: { mode: 'pro' } },
  { max_tool_calls: 100_000 },
  { Model: 'gpt-5.5-pro' },
  { INPUT: 'x' },
  { N: 8 },
  { Stream: true },
];

const questions = {
  '/v1/responses': { model, input: 'hi', max_output_tokens: 16 },
  '/v1/chat/completions': { model, messages: [{ role: 'user', content: 'hi' }], max_completion_tokens: 16 },
} as const;

async function attack(path: keyof typeof questions, native_fields: object): Promise<void> {
  const { secret, key } = await gateway.newKey({ key: { monthlyBudget: budget } });
  gateway.upstream.script(writesAll);
  const body = { ...questions[path], native_fields };
  const asked = Array.from({ length: 6 }, () => gateway.ask(secret, body, { path }));
  for (const response of await Promise.all(asked)) {
    const { error } = (await response.json()) as { error?: { param: string | null } };
    if (response.status === 400) expect(error?.param).toMatch(/^native_fields\./);
    else expect([200, 402, 403, 429]).toContain(response.status);
  }
  await until(async () => ((await gateway.usageOf(key))?.held ?? 0) === 0);
  expect((await gateway.usageOf(key))?.committed ?? 0).toBeLessThanOrEqual(budget);
}

describe('six requests at once, with a budget of a cent, stay within it', () => {
  test.each(attacks)('at Responses with %j', (fields) => attack('/v1/responses', fields));
  test.each(attacks.slice(0, 8))('at chat with %j', (fields) => attack('/v1/chat/completions', fields));
});

test('what is left of a budget lowers an output limit that is given so, on record', async () => {
  const { secret } = await gateway.newKey({ key: { monthlyBudget: 10 * budget } });
  gateway.upstream.script(writesAll);
  const extra = { debug: ['normalizations'] };
  const body = { ...questions['/v1/responses'], native_fields: { MAX_output_tokens: maxWritten }, extra };
  const response = await gateway.ask(secret, body, { path: '/v1/responses' });
  const { debug } = (await response.json()) as { debug?: { normalizations: { param: string }[] } };
  const sent = Number(gateway.upstream.requests[0]?.body.max_output_tokens);
  expect(sent).toBeLessThan(4_000);
  expect(debug?.normalizations).toContainEqual(
    expect.objectContaining({ param: 'max_output_tokens', before: 16, after: maxWritten }),
  );
  expect(debug?.normalizations).toContainEqual(
    expect.objectContaining({ param: 'native_fields.MAX_output_tokens', before: maxWritten, after: sent }),
  );
});

test('a limit that is given so holds for no fallback of another protocol', async () => {
  const { secret } = await gateway.newKey({ key: { monthlyBudget: 10 * budget } });
  gateway.upstream.script((_request, response) => void response.writeHead(404).end('{}'));
  const fallback = 'anthropic/claude-opus-4-6';
  const response = await gateway.ask(secret, {
    model: 'openai/gpt-4.1',
    messages: [{ role: 'user', content: 'hi' }],
    native_fields: { max_tokens: 16 },
    extra: { fallbacks: [fallback], debug: ['normalizations'] },
  });
  const { debug } = (await response.json()) as { debug?: { normalizations: { param: string }[] } };
  expect(response.status).toBe(200);
  expect(debug?.normalizations).toContainEqual(
    expect.objectContaining({ param: 'max_completion_tokens', action: 'add' }),
  );
});
