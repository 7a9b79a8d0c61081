/** `extra.normalize: false`: what the caller set goes upstream, and the record names what the protocol has no form for. */
import { expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const bedrockClaude = 'anthropic/claude-haiku-4-5:bedrock';
const gateway = useWatchedGateway(bedrockClaude);
const haiku = 'anthropic/claude-haiku-4-5';
const question = { role: 'user', content: 'Hello.' };

async function ask(model: string, more: object = {}, normalize = false) {
  gateway.take();
  const body = { model, messages: [question], ...more, extra: { normalize, debug: ['normalizations'] } };
  const response = await gateway.post('/v1/chat/completions', body);
  const answer = Object(await response.json());
  return {
    status: response.status,
    message: answer.error?.message,
    changes: answer.debug?.normalizations,
    sent: Object(gateway.take()[0]?.body),
  };
}

test.each([
  [haiku, /max_tokens.*must be greater than.*budget_tokens/],
  [bedrockClaude, undefined],
])('%s is asked to think as the caller said, also with too few tokens', async (model, refusal) => {
  const { sent, message } = await ask(model, { reasoning_effort: 'high', max_completion_tokens: 900 });
  const { thinking } = sent.additionalModelRequestFields ?? sent;
  expect(thinking).toEqual({ type: 'enabled', budget_tokens: 16_384 });
  if (refusal) expect(message).toMatch(refusal);
});

const begun = [question, { role: 'assistant', content: 'pre ' }];

test.each([haiku, bedrockClaude])('%s gets the beginning of an answer as it is', async (model) => {
  const { sent } = await ask(model, { messages: begun });
  expect(JSON.stringify(sent.messages)).toContain('"pre "');
});

test.each([haiku, bedrockClaude])(
  '%s gets it without white space at its end, on record, by the rules',
  async (model) => {
    const { sent, status, changes } = await ask(model, { messages: begun }, true);
    expect([status, JSON.stringify(sent.messages)]).toEqual([200, expect.stringContaining('"pre"')]);
    expect(changes).toContainEqual({
      param: 'messages.1.content',
      action: 'override',
      before: '4 characters',
      after: '3 characters',
      reason: expect.any(String),
    });
  },
);

const format = 'somebody-else-v1';
const thought = { type: 'reasoning.text', text: 'Mhm.', format, index: 0 };

test.each([
  [haiku, { reasoning_details: [thought] }, 'messages.1.reasoning_details'],
  [
    haiku,
    { reasoning_details: [{ ...thought, format: 'anthropic-claude-v1' }] },
    'messages.1.reasoning_details',
  ],
  [haiku, { reasoning_content: 'Mhm.' }, 'messages.1.reasoning_content'],
  [bedrockClaude, { reasoning_content: 'Mhm.' }, 'messages.1.reasoning_content'],
  ['google/gemini-3.5-flash', { reasoning_details: [thought] }, 'messages.1.reasoning_details'],
  ['amazon/nova-2-lite', { reasoning_details: [thought] }, 'messages.1.reasoning_details'],
  ['openai/gpt-4.1', { reasoning_details: [thought] }, 'messages.1.reasoning_details'],
])('%s: reasoning that its protocol has no form for (%j) is on record', async (model, reasoning, param) => {
  const messages = [question, { role: 'assistant', content: 'Hi.', ...reasoning }, question];
  const { status, changes } = await ask(model, { messages });
  expect([status, changes]).toEqual([200, [expect.objectContaining({ param, action: 'strip' })]]);
});

test('two token limits where there is one field are one, on record', async () => {
  const { sent, changes } = await ask(haiku, { max_tokens: 100, max_completion_tokens: 200 });
  expect([sent.max_tokens, changes]).toEqual([
    200,
    [expect.objectContaining({ param: 'max_tokens', action: 'strip' })],
  ]);
});

test.each(['zai/glm-5.2', 'minimax/MiniMax-M3'])(
  '%s has no strict tools, which is on record',
  async (model) => {
    const parameters = { type: 'object', properties: {}, required: [], additionalProperties: false };
    const tools = [{ type: 'function', function: { name: 'look', parameters, strict: true } }];
    for (const normalize of [true, false]) {
      const { status, changes } = await ask(model, { tools }, normalize);
      expect([status, changes]).toEqual([
        200,
        expect.arrayContaining([
          expect.objectContaining({ param: 'tools.0.function.strict', action: 'strip' }),
        ]),
      ]);
    }
  },
);
