/** The count of tokens of a message: asked of the provider where it counts, and else an estimate, which is marked as one. */
import { describe, expect, test } from 'vitest';
import { countTokens, useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';
import { openLedger } from '../../harness/ledger.ts';

const bedrock = 'anthropic/claude-sonnet-5:bedrock';
const gateway = useWatchedGateway(bedrock);

const hello = [{ role: 'user', content: 'How is the weather?' }];

const count = (body: object) => countTokens(gateway, '/v1/messages/count_tokens', body);

describe.each([
  ['anthropic/claude-opus-5', '/messages/count_tokens'],
  ['google/gemini-3.5-flash', '/models/gemini-3.5-flash:countTokens'],
  [bedrock, /^\/model\/anthropic\.claude-sonnet-5[^/]*\/count-tokens$/],
])('%s', (model, path) => {
  test('is asked to count', async () => {
    const { status, body, estimated, sent } = await count({ model, messages: hello });
    expect([status, estimated]).toEqual([200, null]);
    expect(body).toEqual({ input_tokens: expect.any(Number) });
    expect(body.input_tokens).toBeGreaterThan(0);
    expect(sent.map((request) => request.path)).toEqual([expect.stringMatching(path)]);
  });
});

test.each(['openai/gpt-5.5', 'mistral/mistral-large-2512', 'deepseek/deepseek-v4-flash'])(
  '%s: the number is an estimate, and is marked as one',
  async (model) => {
    const { status, body, estimated } = await count({ model, messages: hello, max_tokens: 1 });
    expect([status, estimated]).toEqual([200, 'true']);
    expect(body).toEqual({ input_tokens: expect.any(Number), estimated: true });
  },
);

test('it is not in the ledger', async () => {
  const ledger = openLedger();
  await gateway.post('/v1/messages', { model: 'openai/gpt-5.5', max_tokens: 9, messages: hello });
  await count({ model: 'openai/gpt-5.5', messages: hello });
  const records = await ledger.recordsOf('local');
  expect(records.length).toBeGreaterThan(0);
  expect(records.filter(({ operation }) => operation !== 'messages')).toEqual([]);
  await ledger.close();
});
