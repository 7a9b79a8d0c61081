/** The count of input tokens: asked of the provider where it counts, and else an estimate that says so. */
import { describe, expect, test } from 'vitest';
import { countTokens, useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';
import { openLedger } from '../../harness/ledger.ts';

const azure = 'openai/gpt-5.5:azure';
const claude = 'anthropic/claude-sonnet-5:bedrock';
const gateway = useWatchedGateway(azure, claude);

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const tools = [{ type: 'function', name: 'weather', parameters }];

const count = (body: object) => countTokens(gateway, '/v1/responses/input_tokens', body);

describe.each([
  ['openai/gpt-5.5', '/responses/input_tokens'],
  [azure, '/responses/input_tokens'],
  ['anthropic/claude-opus-5', '/messages/count_tokens'],
  ['google/gemini-3.5-flash', '/models/gemini-3.5-flash:countTokens'],
  [claude, /^\/model\/anthropic\.claude-sonnet-5[^/]*\/count-tokens$/],
])('%s', (model, path) => {
  test('is asked to count, with tools and settings of the answer', async () => {
    const asked = {
      instructions: 'Be brief.',
      input: 'How is the weather?',
      tools,
      tool_choice: 'required',
      max_output_tokens: 99,
      temperature: 0.5,
      stream: true,
      store: false,
    };
    const short = await count({ model, input: 'How is the weather?' });
    const long = await count({ model, ...asked });
    expect([short.status, long.status]).toEqual([200, 200]);
    expect(long.sent.map((request) => request.path)).toEqual([expect.stringMatching(path)]);
    expect(long.body).toEqual({ object: 'response.input_tokens', input_tokens: expect.any(Number) });
    expect(long.body.input_tokens).toBeGreaterThan(short.body.input_tokens);
    expect(long.estimated).toBeNull();
  });

  test('counts the response that a request continues', async () => {
    const first = await gateway.post('/v1/responses', { model, input: 'Hello. '.repeat(50) });
    const { id } = JSON.parse(await first.text());
    const { status, body } = await count({ model, previous_response_id: id });
    expect(status).toBe(200);
    expect(body.input_tokens).toBeGreaterThan(50);
  });
});

test.each(['mistral/mistral-large-2512', 'amazon/nova-pro'])(
  '%s does not count: the number is an estimate, and says so',
  async (model) => {
    const { status, body, estimated } = await count({ model, input: 'x'.repeat(400) });
    expect([status, estimated]).toEqual([200, 'true']);
    expect(body).toEqual({
      object: 'response.input_tokens',
      input_tokens: expect.any(Number),
      estimated: true,
    });
    // 50 tokens, and what stands around them.
    expect(body.input_tokens).toBeGreaterThan(60);
    expect(body.input_tokens).toBeLessThan(250);
  },
);

test('it is not in the ledger', async () => {
  const ledger = openLedger();
  await count({ model: 'openai/gpt-5.5', input: 'Hello.' });
  const records = await ledger.recordsOf('local');
  expect(records.length).toBeGreaterThan(0);
  expect(records.filter(({ operation }) => operation !== 'responses')).toEqual([]);
  await ledger.close();
});

test.each([
  [{ model: 'openai/gpt-5.5' }, 'input'],
  [{ input: 'Hello.' }, 'model'],
  [{ model: 'openai/gpt-5.5', input: [] }, 'input'],
  [{ model: 'openai/gpt-5.5', input: 'Hello.', previous_response_id: 'resp_1' }, 'previous_response_id'],
])('%j is refused, and names %s', async (body, param) => {
  const refused = await count(body);
  expect([refused.status, refused.body.error.param]).toEqual([400, param]);
});
