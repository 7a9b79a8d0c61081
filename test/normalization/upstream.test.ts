/** Seen from both ends of the gateway: what a caller sends, what the provider gets, and what the caller gets as changes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { answerJson, startUpstream } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

interface Row {
  readonly provider: string;
  readonly model: string;
  readonly answer: object;
  /** The provider's refusal of a parameter, in its own form. */
  readonly refusal: object;
  /** What the caller sends, its name upstream, and whether the model supports it. */
  readonly sent: object;
  readonly param: string | null;
  readonly upstream: object;
  readonly reported: readonly string[];
}

const rows: readonly Row[] = [
  {
    provider: 'openai',
    model: 'openai/gpt-5.5',
    answer: {
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    },
    refusal: {
      error: {
        message: "Unsupported value: 'top_p' is no good.",
        type: 'invalid_request_error',
        param: 'top_p',
        code: 'unsupported_value',
      },
    },
    sent: { top_p: 0.5, logit_bias: { 1: 1 } },
    param: 'top_p',
    upstream: { top_p: 0.5, logit_bias: { 1: 1 } },
    reported: ['top_p', 'logit_bias'],
  },
  {
    provider: 'anthropic',
    model: 'anthropic/claude-opus-5',
    answer: {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    refusal: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'seed: Extra inputs are not permitted' },
    },
    sent: { seed: 7, temperature: 0.5 },
    param: 'seed',
    upstream: { seed: 7, temperature: 0.5 },
    reported: ['temperature', 'seed'],
  },
  {
    provider: 'google',
    model: 'google/gemini-2.5-flash',
    answer: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
    },
    refusal: {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message:
          'Invalid JSON payload received. Unknown name "store" at \'generation_config\': Cannot find field.',
      },
    },
    sent: { store: true, frequency_penalty: 1 },
    param: 'store',
    upstream: { generationConfig: { store: true, frequencyPenalty: 1 } },
    reported: ['frequency_penalty', 'store'],
  },
  {
    provider: 'bedrock',
    model: 'amazon/nova-pro',
    answer: {
      output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 1 },
    },
    refusal: { message: 'Malformed input request: extraneous key [seed] is not permitted' },
    sent: { seed: 7, user: 'someone' },
    param: 'seed',
    upstream: { additionalModelRequestFields: { seed: 7, user: 'someone' } },
    reported: ['seed', 'user'],
  },
];

let gateway: TestGateway;
const upstream = use(() => startUpstream());
beforeAll(async () => {
  const environment = rows.flatMap(({ provider }) => [
    [`${provider.toUpperCase()}_UPSTREAM_URL`, upstream.url],
    [`${provider.toUpperCase()}_API_KEY`, 'key'],
  ]);
  gateway = await startTestGateway(Object.fromEntries(environment));
});
afterAll(async () => {
  await gateway?.close();
});

interface Answer {
  readonly debug: {
    readonly normalizations: readonly { readonly param: string }[];
    readonly deprecations: readonly object[];
  };
  readonly error: { readonly message: string; readonly param: string | null; readonly code: string | null };
}

const messages = [{ role: 'user', content: 'Hello' }];

async function ask(body: object, extra: object = {}) {
  const response = await gateway.post('/v1/chat/completions', {
    messages,
    ...body,
    extra: { debug: ['normalizations', 'deprecations'], ...extra },
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}

describe.each(rows)('$provider', ({ model, answer, refusal, sent, param, upstream: wanted, reported }) => {
  test('does not get what it would refuse, and the change is reported', async () => {
    upstream.script(answerJson(answer));
    const { status, headers, body } = await ask({ model, ...sent });
    expect(status).toBe(200);
    const { normalizations } = body.debug;
    expect(normalizations.map((entry) => entry.param)).toEqual(expect.arrayContaining([...reported]));
    expect(headers.get('x-gateway-normalizations')).toBe(`${normalizations.length}`);
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]?.body).not.toMatchObject(wanted);
  });

  test('gets values unchanged when the caller wants it so, and its refusal surfaces', async () => {
    upstream.script(answerJson(refusal, 400));
    const { status, body } = await ask({ model, ...sent }, { normalize: false });
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]?.body).toMatchObject(wanted);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: 'invalid_request_error', param });
    expect(body.error.message).toMatch(/top_p|seed|store/);
  });
});

describe('a parameter that the provider refuses by name', () => {
  const model = 'openai/gpt-4.1';
  const answer = rows[0]?.answer ?? {};
  const refuse = (param: string | null, code: string | null, message: string) => ({
    error: { message, type: 'invalid_request_error', param, code },
  });
  /** Answers when the parameter is no longer sent. */
  const until = (name: string, refusal: object) =>
    upstream.script((request, response) =>
      name in request.body
        ? answerJson(refusal, 400)(request, response)
        : answerJson(answer)(request, response),
    );

  test.each([
    [refuse('seed', 'unsupported_parameter', 'No.')],
    [refuse('seed', 'unsupported_value', 'No.')],
    [refuse('seed', null, "Unsupported parameter: 'seed' is not supported with this model.")],
    [refuse(null, null, "Unsupported parameter: 'seed' is not supported with this model.")],
  ])('is left out in one more try, on record', async (refusal) => {
    until('seed', refusal);
    const { status, body } = await ask({ model, seed: 7, user: 'someone' });
    expect(status).toBe(200);
    expect(upstream.requests.map((request) => request.body.user)).toEqual(['someone', 'someone']);
    expect(body.debug.normalizations).toEqual([
      { param: 'seed', action: 'strip', before: 7, after: null, reason: expect.stringContaining('rejected') },
    ]);
  });

  test('a limit goes out under its other name', async () => {
    until('max_tokens', refuse('max_tokens', 'unsupported_parameter', 'No.'));
    const { status, body } = await ask({ model, max_tokens: 9 });
    expect(status).toBe(200);
    expect(upstream.requests[1]?.body).toMatchObject({ max_completion_tokens: 9 });
    expect(body.debug.normalizations).toMatchObject([
      { param: 'max_tokens', action: 'strip', before: 9 },
      { param: 'max_completion_tokens', action: 'add', after: 9 },
    ]);
  });

  test('only once for a request', async () => {
    upstream.script((request, response) => {
      const name = 'seed' in request.body ? 'seed' : 'user';
      return answerJson(refuse(name, 'unsupported_parameter', 'No.'), 400)(request, response);
    });
    const { status, body } = await ask({ model, seed: 7, user: 'someone' });
    expect([status, body.error.param]).toEqual([400, 'user']);
    expect(upstream.requests).toHaveLength(2);
  });

  const unsupported = (param: string) => refuse(param, 'unsupported_parameter', 'No.');
  test.each([
    ['not when the caller wants no normalization', 'seed', { seed: 7 }, { normalize: false }],
    ['not for the form of the answer', 'response_format', { response_format: { type: 'json_object' } }, {}],
    ['not for the tools', 'tools', { tools: [{ type: 'function', function: { name: 'f' } }] }, {}],
    ['not for what the caller did not send', 'temperature', {}, {}],
  ])('%s', async (_, param, sent, extra) => {
    upstream.script(answerJson(unsupported(param), 400));
    const { status, body } = await ask({ model, ...sent }, extra);
    expect([status, body.error.param, body.error.code]).toEqual([400, param, 'unsupported_parameter']);
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('deprecated fields', () => {
  test('max_tokens works, and the change is reported', async () => {
    upstream.script(answerJson(rows[0]?.answer ?? {}));
    const { status, body } = await ask({ model: 'openai/gpt-4.1', max_tokens: 9 });
    expect(status).toBe(200);
    expect(upstream.requests[0]?.body).toMatchObject({ max_tokens: 9 });
    expect(body.debug.deprecations).toContainEqual({
      param: 'max_tokens',
      message: 'Use max_completion_tokens instead.',
    });
  });

  test.each([
    ['functions', [{ name: 'f' }], 'tools'],
    ['function_call', 'auto', 'tool_choice'],
  ])('%s: %j is refused, and the refusal says what to use', async (field, value, instead) => {
    const { status, body } = await ask({ model: 'openai/gpt-4.1', [field]: value });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ param: field, message: expect.stringContaining(`'${instead}'`) });
  });
});
