/**
 * Answers by a schema from models that cannot guarantee one: what is recorded, what is taken off, what is checked, and the
 * second question of `extra.repair`. The upstream answers as the hosts do.
 */
import { describe, expect, test } from 'vitest';
import { chatAnswer, chatUsage, chatChunk as chunk } from '../../harness/chat-answers.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { openLedger } from '../../harness/ledger.ts';
import { answerEvents, answerJson } from '../../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway('DEEPSEEK');

const model = 'deepseek/deepseek-v4-flash';
const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer' } },
  required: ['city', 'people'],
  additionalProperties: false,
};
const format = { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } };
const fitting = '{"city":"Oslo","people":700000}';
const wrong = '{"city":"Oslo","people":"many"}';
const fenced = (text: string) => `\`\`\`json\n${text}\n\`\`\``;

const usage = chatUsage(10, 5);
const completion = (content: string, finish = 'stop') => chatAnswer(content, usage, finish);
/** One token for every third character. */
const chunks = (content: string) => [
  chunk({ role: 'assistant', content: '' }),
  ...(content.match(/.{1,3}/gs) ?? []).map((piece) => chunk({ content: piece })),
  chunk({}, 'stop', { usage }),
];

interface Debugged {
  readonly debug: { readonly normalizations: readonly { readonly param: string; readonly reason: string }[] };
}
interface ChatAnswer extends Debugged {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly usage: Record<string, unknown>;
}

interface Answer {
  readonly status: number;
  readonly schema: string | null;
  readonly text: string;
  readonly reasons: readonly string[];
  readonly usage: Record<string, unknown>;
  readonly requestId: string;
}

/** Each text is the answer to one call, the last to all further ones. */
async function ask(
  texts: readonly string[],
  { finish = 'stop', extra = {}, ...fields }: Record<string, unknown> = {},
) {
  let calls = 0;
  upstream.script((request, response) => {
    const text = texts[Math.min(calls, texts.length - 1)] ?? '';
    calls += 1;
    const answer = request.body.stream
      ? answerEvents(chunks(text))
      : answerJson(completion(text, `${finish}`));
    return answer(request, response);
  });
  const response = await gateway.post('/v1/chat/completions', {
    model,
    messages: [{ role: 'user', content: 'Where?' }],
    response_format: format,
    extra: { debug: ['normalizations'], ...(extra as object) },
    ...fields,
  });
  return response;
}

async function body(response: Response): Promise<Answer> {
  const answer = (await response.json()) as ChatAnswer;
  return {
    status: response.status,
    schema: response.headers.get('x-gateway-schema'),
    text: answer.choices[0]?.message.content ?? '',
    reasons: answer.debug.normalizations.map(({ reason }) => reason),
    usage: answer.usage,
    requestId: response.headers.get('x-request-id') ?? '',
  };
}

async function streamed(response: Response) {
  const lines = (await response.text()).split('\n\n').filter((line) => line.startsWith('data: {'));
  const events = lines.map((line) => JSON.parse(line.slice(6)));
  const debug = events.at(-1).debug.normalizations as readonly { param: string; reason: string }[];
  return {
    text: events.map(({ choices }) => choices[0]?.delta.content ?? '').join(''),
    reasons: debug.map(({ reason }) => reason),
  };
}

const inWords =
  'The model has no such response format in this request. The schema is described to it in words.';
const mismatch = /^The answer does not fit\. \/people: .*"string" is invalid\. Expected "integer"/;

describe('a schema that becomes words', () => {
  test('is recorded, and the schema is in the system message', async () => {
    const response = await ask([fitting]);
    const { debug } = (await response.json()) as Debugged;
    expect(debug.normalizations).toContainEqual({
      param: 'response_format',
      action: 'override',
      before: 'json_schema',
      after: 'json_object',
      reason: inWords,
    });
    expect(response.headers.get('x-gateway-normalizations')).toBe(`${debug.normalizations.length}`);
    const [sent] = upstream.requests;
    expect(sent?.body.response_format).toEqual({ type: 'json_object' });
    expect(JSON.stringify(sent?.body.messages)).toContain('people');
  });

  test('is named as text.format in the Responses operation', async () => {
    upstream.script(answerJson(completion(wrong)));
    const { name, schema: form } = format.json_schema;
    const response = await gateway.post('/v1/responses', {
      model,
      input: 'Where?',
      text: { format: { type: 'json_schema', name, schema: form, strict: true } },
      extra: { debug: ['normalizations'] },
    });
    const { debug } = (await response.json()) as Debugged;
    expect(response.headers.get('x-gateway-schema')).toBe('mismatch');
    const params = debug.normalizations.map(({ param }) => param);
    expect(params).toEqual(['text.format', 'text.format']);
  });

  test('goes upstream unchanged with normalize: false, and the answer is checked all the same', async () => {
    const answer = await body(await ask([wrong], { extra: { normalize: false } }));
    expect(upstream.requests[0]?.body.response_format).toEqual(format);
    expect(answer.schema).toBe('mismatch');
    expect(answer.reasons).toEqual([expect.stringMatching(mismatch)]);
  });
});

describe('the answer', () => {
  test.each([
    ['fits', fitting, fitting],
    ['fits in a fence', fenced(fitting), fitting],
    ['fits in a fence without a language', `\n\`\`\`\n${fitting}\n\`\`\`  \n`, fitting],
  ])('%s', async (_, given, text) => {
    const whole = await body(await ask([given]));
    expect(whole).toMatchObject({ text, schema: null, reasons: [inWords] });
    const pieces = await streamed(await ask([given], { stream: true }));
    expect(pieces).toEqual({ text, reasons: [inWords] });
  });

  test.each([
    ['of a wrong type', wrong, wrong, mismatch],
    ['of a wrong type in a fence', fenced(wrong), wrong, mismatch],
    ['that is no JSON', 'Oslo, I think.', 'Oslo, I think.', /not JSON/],
    ['that is cut in its fence', '```json\n{"city":', '{"city":', /not JSON/],
  ])('%s goes out with a record', async (_, given, text, reason) => {
    const whole = await body(await ask([given]));
    expect(whole).toMatchObject({ status: 200, text, schema: 'mismatch' });
    expect(whole.reasons).toEqual([inWords, expect.stringMatching(reason)]);
    const pieces = await streamed(await ask([given], { stream: true }));
    expect(pieces).toEqual({ text, reasons: [inWords, expect.stringMatching(reason)] });
  });

  test('that ends before a call: all of its text comes before the call', async () => {
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
    const pieces = [chunk({ content: '\n\n' }), chunk({ tool_calls: [call] })];
    upstream.script(answerEvents([...pieces, chunk({}, 'tool_calls', { usage })]));
    const response = await gateway.post('/v1/responses', {
      model,
      input: 'Where?',
      text: { format: { type: 'json_schema', name: 'place', strict: true, schema } },
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }],
      stream: true,
    });
    const added = [...(await response.text()).matchAll(/"response\.output_item\.added".*?"type":"(\w+)"/g)];
    expect(added.map(([, type]) => type)).toEqual(['message', 'function_call']);
  });

  test('that a limit cut is not checked: its finish reason says more', async () => {
    const answer = await body(await ask(['{"city":"Os'], { finish: 'length' }));
    expect(answer).toMatchObject({ schema: null, reasons: [inWords] });
  });
});

describe('extra.repair', () => {
  const extra = { repair: true };

  test('asks once more with what is wrong, and counts both answers', async () => {
    const answer = await body(await ask([wrong, fenced(fitting)], { extra }));
    expect(answer).toMatchObject({ text: fitting, schema: 'repaired' });
    expect(answer.reasons.at(-1)).toMatch(/^The first answer did not fit\. \/people: /);
    const [, second, ...others] = upstream.requests;
    expect(others).toEqual([]);
    const messages = second?.body.messages as readonly { role: string; content: string }[];
    expect(messages.at(-2)).toMatchObject({ role: 'assistant', content: wrong });
    expect(messages.at(-1)?.content).toContain('Expected "integer"');
    expect(answer.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 });
    const ledger = openLedger();
    const records = await ledger.recordsOf('local').finally(() => ledger.close());
    const record = records.find(({ requestId }) => requestId === answer.requestId);
    expect(record?.attempts).toMatchObject([
      { usage: { promptTokens: 10 } },
      { usage: { promptTokens: 10 } },
    ]);
  });

  test('asks no third time', async () => {
    const answer = await body(await ask([wrong], { extra }));
    expect(answer).toMatchObject({ text: wrong, schema: 'mismatch' });
    expect(upstream.requests).toHaveLength(2);
  });

  test('does not ask when the first answer fits', async () => {
    await body(await ask([fitting], { extra }));
    expect(upstream.requests).toHaveLength(1);
  });

  test('keeps the first answer when the second call fails', async () => {
    let calls = 0;
    upstream.script((request, response) => {
      calls += 1;
      const script =
        calls === 1 ? answerJson(completion(wrong)) : answerJson({ error: { message: 'no' } }, 500);
      return script(request, response);
    });
    const response = await gateway.post('/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content: 'Where?' }],
      response_format: format,
      extra: { ...extra, debug: ['normalizations'] },
    });
    expect(await body(response)).toMatchObject({ text: wrong, schema: 'mismatch', usage });
  });

  test('holds a stream back until its answer fits', async () => {
    const response = await ask([wrong, fitting], { extra, stream: true });
    expect(response.headers.get('x-gateway-schema')).toBe('repaired');
    expect((await streamed(response)).text).toBe(fitting);
  });
});

describe('a schema cannot keep the gateway busy', () => {
  const nested = Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => [
      `level${level}`,
      { allOf: [1, 2].map(() => ({ $ref: `#/$defs/level${level + 1}` })) },
    ]),
  );
  test.each([
    [
      'a pattern that backtracks',
      { type: 'object', properties: { city: { type: 'string', pattern: '^(a+)+$' } } },
    ],
    [
      'references that multiply',
      { $ref: '#/$defs/level0', $defs: { ...nested, level40: { type: 'object' } } },
    ],
    ['a reference to itself', { $ref: '#' }],
    ['a reference to nothing', { $ref: '#/$defs/none' }],
  ])(
    '%s',
    async (_, hostile) => {
      const text = JSON.stringify({ city: `${'a'.repeat(40)}!` });
      const response_format = { type: 'json_schema', json_schema: { name: 'a', schema: hostile } };
      const response = await ask([text], { response_format });
      expect((await body(response)).text).toBe(text);
    },
    60_000,
  );
});
