/** The differences between hosts of the OpenAI chat protocol, where their form is more than a field of host-dialects.test.ts. */
import { describe, expect, test } from 'vitest';
import type { GenerationProtocol } from '../../../lib/core/generation/original/protocol.ts';
import type { GenerationParameters, JsonObject, Message } from '../../../lib/core/generation/request.ts';
import { type Dialect, encodeToolId, type Replay } from '../../../lib/protocols/openai-chat/dialect.ts';
import { createFillIn, createOpenaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import { only } from '../answer.ts';
import { assistant, newRequest, newTarget, text, tool, user, weatherTool } from '../requests.ts';

function protocolOf(name: string) {
  const protocol = providers.get(name)?.generation?.protocol;
  if (!protocol) throw new Error(`There is no provider ${name}.`);
  return protocol;
}

const encode = (
  provider: string,
  messages: readonly Message[],
  parameters: GenerationParameters = {},
  others = {},
) => protocolOf(provider).encode(newRequest(messages, parameters, others), newTarget());

test('Mistral gets its own names', () => {
  const body = encode('mistral', [user('Hello')], { seed: 7, max_completion_tokens: 9, max_tokens: 5 });
  expect(body).toMatchObject({ random_seed: 7, max_tokens: 9 });
  for (const name of ['seed', 'max_completion_tokens']) expect(body).not.toHaveProperty(name);
});

test('Mistral gets ids of nine letters and digits, the same for a call and its result', () => {
  const id = 'call_of_another_provider';
  const history = [
    user('Weather?'),
    assistant('', { toolCalls: [{ id, name: 'f', arguments: '' }] }),
    tool(id, 'Sun'),
  ];
  const [, call, result] = encode('mistral', history).messages as [
    object,
    { tool_calls: { id: string }[] },
    object,
  ];
  expect(call.tool_calls[0]?.id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(result).toMatchObject({ tool_call_id: call.tool_calls[0]?.id });
  expect(encode('mistral', history)).toStrictEqual(encode('mistral', history));
});

test.each(['mistral', 'moonshot', 'deepseek'])('%s gets an empty answer only if it takes one', (provider) => {
  const { messages } = encode(provider, [
    user('Hello.'),
    assistant(''),
    assistant(' ', { reasoning: 'Hm.' }),
    user('Well?'),
    { ...assistant(''), name: 'Ann' },
  ]);
  const roles = (messages as readonly Message[]).map(({ role }) => role);
  const others = provider === 'deepseek' ? ['assistant', 'assistant'] : [];
  expect(roles).toStrictEqual(['user', ...others, 'user', 'assistant']);
});

test('an empty answer is left out wherever it is, unless it is the last and says who speaks', () => {
  const refusing = createOpenaiChat({ refusesEmptyAnswers: true });
  const named = { ...assistant(''), name: 'ann' };
  const rolesOf = (...messages: readonly Message[]) =>
    (refusing.encode(newRequest(messages), newTarget()).messages as readonly Message[]).map(
      ({ role }) => role,
    );
  expect(rolesOf(user('Hi'), assistant(''))).toStrictEqual(['user']);
  expect(rolesOf(user('Hi'), named)).toStrictEqual(['user', 'assistant']);
  expect(rolesOf(named, user('Hi'))).toStrictEqual(['user']);
  expect(rolesOf(assistant('', { refusal: 'No.' }), user('Hi'))).toStrictEqual(['assistant', 'user']);
  const called = assistant('', { toolCalls: [{ id: 'a', name: 'f', arguments: '' }] });
  expect(rolesOf(called, tool('a', ''))).toStrictEqual(['assistant', 'tool']);
});

test('Perplexity gets alternating turns', () => {
  const { messages } = encode('perplexity', [user('One.'), user('Two.'), assistant('Yes.'), user('Three.')]);
  expect(messages).toStrictEqual([
    { role: 'user', content: 'One.\nTwo.' },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'Three.' },
  ]);
});

describe('a host whose turns alternate', () => {
  const merging = createOpenaiChat({ mergesTurns: true, joinsTexts: true });
  const rolesOf = (...messages: readonly Message[]) =>
    (merging.encode(newRequest(messages), newTarget()).messages as readonly JsonObject[]).map(
      ({ role, content }) => [role, content],
    );
  const system = (value: string): Message => ({ role: 'system', content: text(value) });
  const called = { toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] };

  test('gets adjacent messages of one role as one, but calls and results as they are', () => {
    expect(
      rolesOf(
        system('A'),
        system('B'),
        user('C'),
        assistant('D'),
        assistant('E', called),
        assistant('F', called),
        tool('a', 'G'),
        tool('a', 'H'),
        user('I'),
        system('J'),
      ),
    ).toStrictEqual([
      ['system', 'A\nB'],
      ['user', 'C'],
      ['assistant', 'D\nE'],
      ['assistant', 'F'],
      ['tool', 'G'],
      ['tool', 'H'],
      ['user', 'I'],
      ['system', 'J'],
    ]);
  });

  test('names no message in a failure that its caller has', () => {
    const failure = { error: { message: 'No.', param: 'messages[1].content', code: 'invalid_value' } };
    const paramOf = (protocol: GenerationProtocol) =>
      protocol.readFailure({ status: 400, headers: {}, body: JSON.stringify(failure) }).upstreamParam;
    expect(paramOf(merging)).toBe('messages');
    expect(paramOf(createOpenaiChat({}))).toBe('messages[1].content');
  });
});

test('a fill-in has its prompt and suffix in place of messages, at a path of its own', () => {
  const protocol = createFillIn({ joinsTexts: true }, '/fim/completions');
  const messages = [
    { role: 'user', content: [...text('a'), { type: 'image', url: 'https://a.example/' }, ...text('b')] },
  ];
  const request = newRequest(messages as readonly Message[], { temperature: 0.5 }, { suffix: 'c' });
  expect(protocol.path('model', false)).toBe('/fim/completions');
  expect(protocol.encode(request, newTarget())).toStrictEqual({
    model: 'upstream-model',
    temperature: 0.5,
    prompt: 'ab',
    suffix: 'c',
  });
});

describe('the reasoning effort', () => {
  const reasoner = newTarget({
    reasoning: { style: 'switch', efforts: ['none', 'low'], defaultEffort: 'low' },
  });
  const fieldsOf = (
    efforts: Dialect['efforts'],
    reasoning_effort: 'none' | 'low' | 'high',
    target = reasoner,
  ) => {
    const {
      model: _,
      messages: __,
      ...fields
    } = createOpenaiChat({ ...(efforts && { efforts }) }).encode(
      newRequest([], { reasoning_effort }),
      target,
    );
    return fields;
  };
  const on = { thinking: true };
  const off = { thinking: false };

  test.each<[string, Dialect['efforts'], 'none' | 'low' | 'high', object]>([
    ['is its public field', undefined, 'low', { reasoning_effort: 'low' }],
    ['is fields of the host', { switch: { on, off } }, 'low', on],
    ['is no field where the host has none', { switch: {} }, 'low', {}],
    ['is a field of the host', { switch: { on, field: 'effort' } }, 'low', { ...on, effort: 'low' }],
    [
      'is a member of a field',
      { switch: { field: 'reasoning.effort' } },
      'low',
      { reasoning: { effort: 'low' } },
    ],
    ['is off', { switch: { on, off, field: 'effort' } }, 'none', off],
    ['is off without a field', { switch: { on, field: 'effort' } }, 'none', {}],
    [
      'is unknown to the model, for the host to reject',
      { switch: { on } },
      'high',
      { reasoning_effort: 'high' },
    ],
    ['is that of another style', { effort: { on } }, 'low', { reasoning_effort: 'low' }],
  ])('%s', (_, efforts, effort, expected) => {
    expect(fieldsOf(efforts, effort)).toStrictEqual(expected);
    expect(fieldsOf(efforts, effort, newTarget())).toStrictEqual({ reasoning_effort: effort });
  });

  test('may be a number of tokens', () => {
    const request = newRequest([], { reasoning_max_tokens: 2000 });
    expect(createOpenaiChat({}).encode(request, newTarget()).reasoning).toStrictEqual({ max_tokens: 2000 });
  });
});

describe('the id of a call', () => {
  const long = 'call_'.padEnd(60, 'x');

  test.each<[string, Dialect, string, string | RegExp]>([
    ['is kept', {}, long, long],
    ['is kept where it is short enough', { maxToolIdLength: 60 }, long, long],
    ['is shortened, with what tells it apart', { maxToolIdLength: 40 }, long, /^call_x{18}_[0-9a-f]{16}$/],
    ['is nine letters and digits', { shortToolIds: true }, 'abcDEF123', 'abcDEF123'],
    ['is made of nine letters and digits', { shortToolIds: true }, 'abcDEF1234', /^[0-9a-f]{9}$/],
    ['is made of letters and digits alone', { shortToolIds: true }, 'abcDEF12_', /^[0-9a-f]{9}$/],
  ])('%s', (_, dialect, id, expected) => {
    expect(encodeToolId(id, dialect)).toMatch(expected);
  });

  test('differs where only its end differs', () => {
    const ids = [`${long}a`, `${long}b`].map((id) => encodeToolId(id, { maxToolIdLength: 40 }));
    expect(new Set(ids).size).toBe(2);
  });
});

test('a host without the tool choice `none` gets no tools in its place', () => {
  const tools = { tools: [weatherTool] };
  const leaving = createOpenaiChat({
    noneLeavesOutTools: true,
    requiredToolChoice: 'any',
    withoutStrictTools: true,
  });
  const encoded = (tool_choice: GenerationParameters['tool_choice'], others = tools) => {
    const body = leaving.encode(newRequest([], { tool_choice } as GenerationParameters, others), newTarget());
    return [body.tools && 'tools', body.tool_choice];
  };
  expect(encoded('none')).toStrictEqual([undefined, undefined]);
  expect(encoded('auto')).toStrictEqual(['tools', 'auto']);
  expect(encoded('required')).toStrictEqual(['tools', 'any']);
  expect(encoded('auto', { tools: [] })).toStrictEqual([undefined, 'auto']);
  const strict = newRequest([], {}, { tools: [{ ...weatherTool, strict: true }] });
  expect(leaving.encode(strict, newTarget()).tools).toStrictEqual([
    { type: 'function', function: weatherTool },
  ]);
});

test.each([
  ['that is to go on', assistant('So'), { prefix: true }],
  ['that is not', assistant('So', { continued: false }), {}],
])('a last answer %s is marked as such', (_, answer, marks) => {
  const protocol = createOpenaiChat({ continued: { prefix: true } });
  const body = (...messages: readonly Message[]) =>
    protocol.encode(newRequest(messages), newTarget()).messages;
  const written = { role: 'assistant', content: 'So' };
  expect(body(user('Hi'), answer)).toStrictEqual([
    { role: 'user', content: 'Hi' },
    { ...written, ...marks },
  ]);
  expect(body(answer, user('Hi'))).toStrictEqual([written, { role: 'user', content: 'Hi' }]);
  expect(createOpenaiChat({}).encode(newRequest([answer]), newTarget()).messages).toStrictEqual([written]);
});

test('reasoning is sent with every call to a host that requires it, and otherwise only where there is any', () => {
  const called = assistant('', { toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] });
  const backTo = (field: Replay['field'], message: Message) => {
    const protocol = createOpenaiChat({ replay: { field, formats: ['own'] } });
    const [sent] = protocol.encode(newRequest([message]), newTarget()).messages as readonly JsonObject[];
    const { role: _, tool_calls: __, ...rest } = sent ?? {};
    return rest;
  };
  expect(backTo('reasoning_content', called)).toStrictEqual({ content: null, reasoning_content: '' });
  expect(backTo('reasoning', called)).toStrictEqual({ content: null });
  expect(backTo('reasoning_content', assistant('Yes.'))).toStrictEqual({ content: 'Yes.' });
  expect(backTo('reasoning_details', assistant('Yes.', { reasoning: 'Hm.' }))).toStrictEqual({
    content: 'Yes.',
    reasoning: 'Hm.',
  });
  expect(backTo('think', { ...called, reasoning: 'Hm.' })).toStrictEqual({ content: '<think>Hm.</think>' });
});

test('cache markers are sent only to hosts that support them', () => {
  const cacheControl = { type: 'ephemeral' } as const;
  const marked: Message = { role: 'user', content: text('Long.'), cacheControl };
  const content = [{ type: 'text', text: 'Long.', cache_control: cacheControl }];
  expect(encode('openrouter', [marked]).messages).toStrictEqual([{ role: 'user', content }]);
  expect(encode('together', [marked]).messages).toStrictEqual([{ role: 'user', content: 'Long.' }]);
});

describe('reasoning is sent back to its host', () => {
  test.each([
    ['deepseek', { reasoning_content: 'Hm.' }, { reasoning_content: 'Hm.' }],
    ['moonshot', { reasoning_content: 'Hm.' }, { reasoning_content: 'Hm.' }],
    ['cerebras', { reasoning: 'Hm.' }, { reasoning: 'Hm.' }],
    ['minimax', { content: '<think>Hm.</think>\n\nYes.' }, { content: '<think>Hm.</think>\nYes.' }],
  ])('%s', (provider, reported, back) => {
    const message = { role: 'assistant', content: 'Yes.', ...reported };
    const protocol = protocolOf(provider);
    const seen = only(protocol.decodeBody({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    expect(seen).toMatchObject({ text: 'Yes.', reasoning: 'Hm.' });
    expect(seen.details).toStrictEqual([{ type: 'reasoning.text', text: 'Hm.', format: provider, index: 0 }]);
    const replayed = assistant(seen.text, { reasoningDetails: seen.details as never });
    expect(protocol.encode(newRequest([replayed, user('Go on.')]), newTarget()).messages).toStrictEqual([
      { role: 'assistant', content: 'Yes.', ...back },
      { role: 'user', content: 'Go on.' },
    ]);
  });

  test('OpenRouter’s details are unchanged', () => {
    const details = [
      {
        type: 'reasoning.text',
        text: 'Hm.',
        signature: 'c2ln',
        format: 'anthropic-claude-v1',
        index: 0,
        id: 'r1',
      },
      { type: 'reasoning.encrypted', data: 'ZGF0YQ==', format: 'anthropic-claude-v1', index: 1 },
    ];
    const message = { content: 'Yes.', reasoning: 'Hm.', reasoning_details: details };
    const protocol = protocolOf('openrouter');
    const seen = only(protocol.decodeBody({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    expect(seen.details).toStrictEqual(details);
    // A caller of Responses sends them with the position of their item.
    for (const known of [{}, { position: 0 }]) {
      const reasoningDetails = details.map((detail) => ({ ...detail, ...known })) as never;
      const request = newRequest([assistant('Yes.', { reasoningDetails }), user('Go on.')]);
      const [replayed] = protocol.encode(request, newTarget()).messages as readonly JsonObject[];
      expect(replayed?.reasoning_details).toStrictEqual(details);
    }
  });
});
