/** A long conversation made short: by the operation of OpenAI, and elsewhere by a summary that every model can continue from. */
import { describe, expect, test } from 'vitest';
import { chatAnswer, chatUsage } from '../../harness/chat-answers.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';
import { openLedger } from '../../harness/ledger.ts';
import { answerJson } from '../../harness/upstream.ts';

describe('a compaction', () => {
  const azure = 'openai/gpt-5.5:azure';
  const gateway = useWatchedGateway(azure);

  const conversation = [
    { role: 'user', content: 'My name is Ada.' },
    { role: 'assistant', content: 'Hello, Ada.' },
    { role: 'user', content: [{ type: 'input_text', text: 'I live in Oslo.' }] },
  ];

  interface Item {
    readonly type: string;
    readonly id?: string;
    readonly encrypted_content?: string;
    readonly created_by?: string;
  }

  async function compact(body: object) {
    gateway.take();
    const response = await gateway.post('/v1/responses/compact', body);
    const answer = JSON.parse(await response.text());
    const output = (answer.output ?? []) as readonly Item[];
    return { status: response.status, headers: response.headers, body: answer, output, sent: gateway.take() };
  }

  async function continueWith(model: string, output: readonly Item[]) {
    gateway.take();
    const input = [...output, { role: 'user', content: 'Where do I live?' }];
    const response = await gateway.post('/v1/responses', { model, input });
    return { status: response.status, body: JSON.parse(await response.text()), sent: gateway.take() };
  }

  describe.each(['openai/gpt-5.5', azure])('%s', (model) => {
    test('makes it short by its own operation, and continues from it', async () => {
      const { status, body, output, sent } = await compact({
        model,
        input: conversation,
        instructions: 'Be brief.',
        temperature: 0.5,
        prompt_cache_key: 'ada',
      });
      expect(status).toBe(200);
      expect(sent.map(({ path }) => path)).toEqual(['/responses/compact']);
      expect(sent[0]?.body).toMatchObject({ prompt_cache_key: 'ada' });
      expect(sent[0]?.body).not.toHaveProperty('temperature');
      expect(body).toMatchObject({ object: 'response.compaction', usage: { output_tokens: 40 } });
      expect(output.map(({ type }) => type)).toEqual(['message', 'message', 'compaction']);
      const next = await continueWith(model, output);
      expect(next.status).toBe(200);
      expect(JSON.stringify(next.sent[0]?.body)).toContain(output.at(-1)?.encrypted_content);
    });
  });

  test('what a provider encoded is refused by others, by name', async () => {
    const { output } = await compact({ model: 'openai/gpt-5.5', input: conversation });
    const next = await continueWith('anthropic/claude-opus-5', output);
    expect([next.status, next.body.error.param]).toEqual([400, 'input.2']);
  });

  describe.each(['anthropic/claude-opus-5', 'google/gemini-3.5-flash'])('%s', (model) => {
    test('writes a summary, marked as such, from which every model continues', async () => {
      const { status, body, output, sent } = await compact({ model, input: conversation });
      expect(status).toBe(200);
      expect(sent).toHaveLength(1);
      expect(JSON.stringify(sent[0]?.body)).toContain('Write only the summary.');
      expect(body.usage.output_tokens).toBeGreaterThan(0);
      expect(output.map(({ type }) => type)).toEqual(['message', 'message', 'compaction']);
      expect(output.at(-1)).toMatchObject({
        created_by: 'gateway',
        id: expect.stringMatching(/^cmp_[0-9a-f]{32}$/),
      });
      for (const other of [model, 'openai/gpt-4.1']) {
        const next = await continueWith(other, output);
        expect(next.status).toBe(200);
        const said = JSON.stringify(next.sent[0]?.body);
        expect(said).toContain('in place of');
        expect(said).not.toContain('mgwc1_');
      }
    });
  });

  test('takes no fields of the provider, on record', async () => {
    const { body } = await compact({
      model: 'openai/gpt-5.5',
      input: 'Hello.',
      native_fields: { truncation: 'auto' },
      extra: { debug: ['normalizations'] },
    });
    expect(Object(body).debug.normalizations).toContainEqual(
      expect.objectContaining({ param: 'native_fields', before: ['truncation'] }),
    );
  });

  test('a stored response can be made short, and is billed like an answer', async () => {
    const model = 'anthropic/claude-opus-5';
    const first = await gateway.post('/v1/responses', { model, input: 'My name is Ada.' });
    const { id } = JSON.parse(await first.text());
    const { status, headers, output } = await compact({ model, previous_response_id: id });
    expect([status, output.length]).toEqual([200, 2]);
    const ledger = openLedger();
    const records = await ledger.recordsOf('local').finally(() => ledger.close());
    const record = records.find(({ requestId }) => requestId === headers.get('x-request-id'));
    expect(record).toMatchObject({ operation: 'responses-compact', cost: expect.any(Number) });
  });

  test.each([
    ['input', { model: 'openai/gpt-5.5' }],
    ['stream', { model: 'openai/gpt-5.5', input: 'Hello', stream: true }],
  ])('a wrong %s is refused by name', async (param, body) => {
    const { status, body: answer } = await compact(body);
    expect([status, answer.error.param]).toEqual([400, param]);
  });
});

describe('a summary that is of no use: the caller gets an error, and what it has cost is in the ledger', () => {
  const { gateway, upstream } = useUpstreamGateway('DEEPSEEK');

  test('each call of the model is paid for', async () => {
    upstream.script(answerJson(chatAnswer('The beginning of', chatUsage(1_000, 16), 'length')));
    const body = { model: 'deepseek/deepseek-v4-flash', input: 'Hello.', max_output_tokens: 16 };
    const response = await gateway.post('/v1/responses/compact', body);
    expect(response.status).toBe(500);
    const calls = upstream.requests.length;
    expect(calls).toBeGreaterThan(0);
    const ledger = openLedger();
    const records = await ledger.recordsOf('local').finally(() => ledger.close());
    const attempts = Array(calls).fill({ usage: { promptTokens: 1_000, completionTokens: 16 } });
    expect(records.at(-1)).toMatchObject({ status: 500, attempts });
    expect(records.at(-1)?.cost).toBeGreaterThan(0);
  });
});
