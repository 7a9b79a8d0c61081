/**
 * Clients add fields of their own to what they send back: such fields inside messages, items and tools are left out, on record, and
 * those that carry something for the model are read.
 */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const claude = 'anthropic/claude-opus-5';
const bedrockClaude = 'anthropic/claude-haiku-4-5:bedrock';
const gemini = 'google/gemini-3.5-flash';

const gateway = useWatchedGateway(bedrockClaude);

interface Answer {
  readonly error?: { readonly param: string };
  readonly debug: {
    readonly normalizations: readonly {
      readonly param: string;
      readonly action: string;
      readonly before: unknown;
      readonly reason: string;
    }[];
  };
}

async function ask(path: string, body: object, extra: object = {}) {
  gateway.take();
  const response = await gateway.post(path, { ...body, extra: { debug: ['normalizations'], ...extra } });
  const answer = (await response.json()) as Answer;
  // What the gateway adds of its own is not counted either.
  const records = (answer.debug?.normalizations ?? []).filter(({ action }) => action !== 'add');
  return { status: response.status, headers: response.headers, answer, records, sent: gateway.take() };
}

const chat = (model: string, messages: readonly object[], more: object = {}, extra: object = {}) =>
  ask('/v1/chat/completions', { model, messages, ...more }, extra);
const responses = (model: string, input: readonly object[], more: object = {}) =>
  ask('/v1/responses', { model, input, ...more });

const user = { role: 'user', content: 'What is the weather?' };
const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } };
const result = { role: 'tool', tool_call_id: 'call_1', content: 'Rain.' };
const tools = [{ type: 'function', function: { name: 'weather' } }];

describe.each(['openai/gpt-4.1', claude, gemini, 'mistral/mistral-large-2512', bedrockClaude])(
  '%s',
  (model) => {
    test.each([
      ['of a message', [{ ...user, colour: 'red' }], 'messages.0.colour'],
      [
        'of a part',
        [{ ...user, content: [{ type: 'text', text: 'Hi.', role: 'user' }] }],
        'messages.0.content.0.role',
      ],
      [
        'of a call',
        [user, { role: 'assistant', tool_calls: [{ ...call, colour: 'red' }] }, result],
        'messages.1.tool_calls.0.colour',
      ],
      [
        'of a function that was called',
        [
          user,
          { role: 'assistant', tool_calls: [{ ...call, function: { ...call.function, colour: 1 } }] },
          result,
        ],
        'messages.1.tool_calls.0.function.colour',
      ],
      [
        'of the fields that a client keeps',
        [user, { role: 'assistant', content: 'Hm.', provider_specific_fields: { citations: [1] } }, user],
        'messages.1.provider_specific_fields.citations',
      ],
    ])('an unknown field %s is left out, on record', async (_, messages, param) => {
      for (const extra of [{}, { normalize: false }]) {
        const { status, records, sent, headers } = await chat(model, messages, { tools }, extra);
        expect(status).toBe(200);
        expect(records).toContainEqual(expect.objectContaining({ param, action: 'strip', after: null }));
        expect(headers.get('x-gateway-normalizations')).toBe(`${records.length}`);
        expect(JSON.stringify(sent)).not.toMatch(/colour|citations/);
      }
    });

    test('null says nothing, and leaves no record', async () => {
      const fields = {
        refusal: null,
        provider_specific_fields: { refusal: null },
        audio: null,
        colour: null,
      };
      const { status, records } = await chat(model, [
        user,
        { role: 'assistant', content: 'Hm.', ...fields },
        user,
      ]);
      expect(status).toBe(200);
      expect(records.filter(({ param }) => param.startsWith('messages.1'))).toEqual([]);
    });
  },
);

test('an unknown field of a tool is left out, on record', async () => {
  const given = [{ ...tools[0], colour: 1, function: { name: 'weather', deferred: true } }];
  const { status, records } = await chat('openai/gpt-4.1', [user], { tools: given });
  expect(status).toBe(200);
  expect(records.map(({ param }) => param)).toEqual(['tools.0.function.deferred', 'tools.0.colour']);
});

test.each([
  ['of a message', { ...user, colour: 'red' }, 'input.0.colour'],
  [
    'of a part',
    { role: 'user', content: [{ type: 'input_text', text: 'Hi.', colour: 'red' }] },
    'input.0.content.0.colour',
  ],
])('an unknown field %s of Responses is left out, on record', async (_, item, param) => {
  const { status, records, sent } = await responses(claude, [item]);
  expect(status).toBe(200);
  expect(records).toContainEqual(expect.objectContaining({ param, before: '3 characters' }));
  expect(JSON.stringify(sent)).not.toContain('colour');
});

test.each([
  [{ ...user, name: 1 }, 'messages.0.name'],
  [{ role: 'assistant', content: 'x', reasoning: {} }, 'messages.0.reasoning'],
  [{ role: 'assistant', tool_calls: [{ ...call, id: 7 }] }, 'messages.0.tool_calls.0.id'],
  [{ role: 'assistant', content: 'x', extra_content: 'x' }, 'messages.0.extra_content'],
])('a known field of another type is refused by name: %j', async (message, param) => {
  const { status, answer } = await chat('openai/gpt-4.1', [message]);
  expect([status, answer.error?.param]).toEqual([400, param]);
});

describe('what a field carries is used', () => {
  const marked = [
    user,
    { role: 'assistant', tool_calls: [{ ...call, cache_control: { type: 'ephemeral' } }] },
    result,
  ];

  test('a cache marker of a call, on Claude', async () => {
    const { sent, records } = await chat(claude, marked, { tools });
    expect(sent[0]?.body).toMatchObject({
      messages: [{}, { content: [{ type: 'tool_use', cache_control: { type: 'ephemeral' } }] }, {}],
    });
    expect(records).toEqual([]);
  });

  test('a cache marker of a call, on Claude at Bedrock', async () => {
    const { sent } = await chat(bedrockClaude, marked, { tools });
    expect(sent[0]?.body).toMatchObject({
      messages: [{}, { content: [{ toolUse: {} }, { cachePoint: { type: 'default' } }] }, {}],
    });
  });

  test.each(['openai/gpt-4.1', 'mistral/mistral-large-2512'])(
    'a cache marker of a call, on record on %s',
    async (model) => {
      const { status, records } = await chat(model, marked, { tools });
      expect(status).toBe(200);
      expect(records).toContainEqual(
        expect.objectContaining({ param: 'messages.1.tool_calls.0.cache_control', action: 'strip' }),
      );
    },
  );

  test('reasoning under the name that other hosts have', async () => {
    const said = { role: 'assistant', content: 'Rain.', reasoning: 'It looks wet.' };
    const { records } = await chat('openai/gpt-4.1', [user, said, user]);
    expect(records).toContainEqual(
      expect.objectContaining({ param: 'messages.1.reasoning', before: '13 characters' }),
    );
  });
});
