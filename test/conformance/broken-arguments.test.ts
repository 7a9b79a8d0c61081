/** A conversation with a tool call whose arguments are no JSON can go on, with every model. */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const models = [
  'anthropic/claude-opus-5',
  'anthropic/claude-sonnet-5:bedrock',
  'anthropic/claude-sonnet-5:google-vertex-anthropic',
  'amazon/nova-pro',
  'google/gemini-2.5-flash',
  'google/gemini-3.5-flash',
];
const gateway = useWatchedGateway(...models);

const tools = [
  { type: 'function', function: { name: 'write', parameters: { type: 'object', properties: {} } } },
];
const broken = '{"a": "unfinish';
const question = { role: 'user', content: 'Write.' };
const conversation = (...written: readonly string[]) => [
  question,
  {
    role: 'assistant',
    content: null,
    tool_calls: written.map((text, index) => {
      return { id: `call_${index}`, type: 'function', function: { name: 'write', arguments: text } };
    }),
  },
  ...written.map((_, index) => ({ role: 'tool', tool_call_id: `call_${index}`, content: 'Not JSON.' })),
];
const record = (param: string) => ({
  param,
  action: 'override',
  before: '15 characters',
  after: 'INVALID_JSON',
  reason: expect.stringContaining('INVALID_JSON'),
});

const ask = async (path: string, body: object) => {
  gateway.take();
  const response = await gateway.post(path, body);
  return { status: response.status, body: Object(await response.json()), sent: gateway.take() };
};

describe.each(models)('%s', (model) => {
  test('is sent the broken text inside an object, on record', async () => {
    const extra = { debug: ['normalizations'] };
    const messages = conversation('{"a":1}', broken);
    const { status, body, sent } = await ask('/v1/chat/completions', { model, tools, messages, extra });
    expect(status).toBe(200);
    expect(body.debug.normalizations).toContainEqual(record('messages.1.tool_calls.1.function.arguments'));
    if (sent.length > 0) expect(JSON.stringify(sent)).toContain(JSON.stringify({ INVALID_JSON: broken }));
  });

  test('is sent items alike', async () => {
    const input = [
      question,
      { type: 'function_call', call_id: 'call_1', name: 'write', arguments: broken },
      { type: 'function_call_output', call_id: 'call_1', output: 'Not JSON.' },
    ];
    const flat = tools.map(({ function: called }) => ({ type: 'function', ...called }));
    const extra = { debug: ['normalizations'] };
    const { status, body } = await ask('/v1/responses', { model, tools: flat, input, extra });
    expect([status, body.debug?.normalizations]).toEqual([
      200,
      expect.arrayContaining([record('input.1.arguments')]),
    ]);
  });

  test("refuses it in the provider's words without the rules", async () => {
    const extra = { normalize: false };
    const { status, body } = await ask('/v1/chat/completions', {
      model,
      tools,
      messages: conversation(broken),
      extra,
    });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/dictionary|JSON object|Struct/);
  });
});
