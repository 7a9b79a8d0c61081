/** Each call of a provider is an attempt in the ledger, with what it used and costs; none is 0 that may cost something. */
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { tokensPerSecond } from '../../lib/metering/cost/unseen-output.ts';
import { answerPieces, useProtocolGateway } from '../harness/gateways/protocol-gateway.ts';
import { end, finish, hello, protocolScripts, start, text } from '../harness/protocol-scripts.ts';
import { textModel } from '../harness/text-model.ts';
import { answerJson, type UpstreamScript } from '../harness/upstream.ts';
import { useLedger } from '../harness/use-ledger.ts';

/** Shorter than any pause of an upstream here. */
const firstByteMs = 500;
const readOnMs = 300;
const protocols = useProtocolGateway({
  GATEWAY_FIRST_BYTE_TIMEOUT_MS: `${firstByteMs}`,
  GATEWAY_READ_ON_MS: `${readOnMs}`,
});

const own = useLedger(() => rows);

const row = (name: string, provider: string, more: object = {}) =>
  textModel(`attempts/${name}`, { provider, upstreamId: name }, more);
const rows = [
  row('first', 'openai'),
  row('claude', 'anthropic'),
  row('claude-too', 'anthropic', { price: { input: 10, output: 10 } }),
  row('checked', 'deepseek', { traits: { structuredOutput: 'object' } }),
  row('thinker', 'openai', {
    traits: { reasoning: { style: 'effort', efforts: ['low', 'high'], defaultEffort: 'high' } },
  }),
  row('second', 'openai', { price: { input: 10, output: 10 } }),
  row('drawn', 'google', {
    endpoints: ['images_generations'],
    modalities: { input: ['text'], output: ['image'] },
    traits: { image: {} },
  }),
  row('vectors', 'openai', {
    endpoints: ['embeddings'],
    traits: {
      embedding: { dimensions: { default: 2, shortenedBy: 'host' }, batchSize: 2 },
    },
  }),
];

const scriptOf = (name: string) => {
  const found = protocolScripts.find(({ protocol }) => protocol === name);
  if (!found) throw new Error(`No script for ${name}.`);
  return found;
};
const openai = scriptOf('openai');
const claude = scriptOf('anthropic');

const question = 'Count each of these attempts, please.';
/** What the gateway estimates for it. */
const questionTokens = Math.ceil(question.length / 4);

const chat = (model: string, more: object = {}) => ({
  model: `attempts/${model}`,
  messages: [{ role: 'user', content: question }],
  ...more,
});
const withFallback = { extra: { fallbacks: ['attempts/second'] } };

function post(body: object, path = '/v1/chat/completions', signal?: AbortSignal): Promise<Response> {
  return protocols.gateway.post(path, body, { 'x-gateway-user-id': own.caller }, signal);
}

const ofCaller = async () => (await own.ledger.recordsOf('local')).filter(({ user }) => user === own.caller);

/** The answer's status and the record of the request. */
async function recordOf(body: object, path?: string) {
  const response = await post(body, path);
  await response.text();
  const [record, ...others] = await ofCaller();
  expect(others).toEqual([]);
  return { status: response.status, record };
}

/** The record of a request whose caller has left. */
async function untilRecorded() {
  for (let tries = 0; tries < 100; tries += 1) {
    const [record] = await ofCaller();
    if (record) return record;
    await pause(20);
  }
  return undefined;
}

/** One script for each call, in order; the last one also for those after it. */
function scripts(...all: readonly UpstreamScript[]): void {
  let calls = 0;
  protocols.upstream.script((request, response) => {
    const script = all[Math.min(calls, all.length - 1)];
    calls += 1;
    return script?.(request, response);
  });
}

const never: UpstreamScript = () => {};
const failing: UpstreamScript = answerJson({ error: { message: 'No.', type: 'server_error' } }, 500);
const whole = answerJson(openai.body(hello));
const streamed = answerPieces(openai.stream(hello), openai.streamType);

/** 7 tokens of input and 3 of output, as `hello` counts. */
const helloCost = { first: 7 * 1_000 + 3 * 2_000, second: 10 * 10_000 };
const promptCost = questionTokens * 1_000;

test.each(
  [
    { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    // What is no count is not 0 beside a good one.
    { prompt_tokens: 7, completion_tokens: -3, total_tokens: 4 },
    { prompt_tokens: null, completion_tokens: 3, total_tokens: 3 },
  ].flatMap((usage) => [false, true].map((stream) => [usage, stream] as const)),
)('an answer that counts nothing of what it shows is estimated: %j (streamed: %s)', async (usage, stream) => {
  const head = { id: 'c', created: 1, model: 'm' };
  const chunk = (fields: object) =>
    Buffer.from(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...fields })}\n\n`);
  const message = { role: 'assistant', content: 'Something.' };
  const pieces = [
    chunk({ choices: [{ index: 0, delta: message }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ choices: [], usage }),
    Buffer.from('data: [DONE]\n\n'),
  ];
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  scripts(
    stream
      ? answerPieces(pieces, 'text/event-stream')
      : answerJson({ ...head, object: 'chat.completion', choices, usage }),
  );
  const { status, record } = await recordOf(chat('checked', { stream }));
  expect([status, record]).toMatchObject([
    200,
    { cost: promptCost + 3 * 2_000, attempts: [{ estimated: true, usage: { completionTokens: 3 } }] },
  ]);
});

describe('a body', () => {
  /** The provider may have generated something in all of its time, and go on. */
  const guessed = { estimated: true, isFloor: true, usage: { promptTokens: questionTokens } };
  const tokensIn = (milliseconds: number) => (milliseconds / 1_000) * tokensPerSecond;

  test('that a timeout of the gateway cut costs what its time suggests, at most what is reserved', async () => {
    scripts(never);
    const { status, record } = await recordOf(chat('first'));
    expect([status, record]).toMatchObject([503, { attempts: [guessed] }]);
    const { completionTokens = 0 } = record?.attempts[0]?.usage ?? {};
    expect(completionTokens).toBeGreaterThanOrEqual(tokensIn(firstByteMs) - 1);
    expect(record?.cost).toBe(promptCost + completionTokens * 2_000);
  });

  test('that was cut costs no more than the caller allows', async () => {
    scripts(never);
    const { record } = await recordOf(chat('first', { max_completion_tokens: 20 }));
    expect(record).toMatchObject({ cost: promptCost + 20 * 2_000, attempts: [guessed] });
  });

  test('that was given up before a fallback is estimated, and the fallback has its own cost', async () => {
    scripts(never, whole);
    const { status, record } = await recordOf(chat('first', withFallback));
    expect([status, record]).toMatchObject([
      200,
      {
        model: 'attempts/second',
        attempts: [
          { model: 'attempts/first', error: 'provider_timeout', ...guessed },
          { model: 'attempts/second', usage: { promptTokens: 7 }, cost: helloCost.second },
        ],
      },
    ]);
  });

  test('that its caller left, and that does not end soon, is estimated', async () => {
    scripts(never);
    const leaving = new AbortController();
    const asked = post(chat('first'), undefined, leaving.signal).catch(() => undefined);
    while (protocols.upstream.requests.length === 0) await pause(10);
    leaving.abort();
    await asked;
    expect(await untilRecorded()).toMatchObject({ status: 499, attempts: [guessed] });
  });

  test('that is lost in the middle is estimated', async () => {
    scripts((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"choices":', () => response.destroy());
    });
    const { record } = await recordOf(chat('first'));
    expect(record).toMatchObject({ attempts: [guessed, guessed] });
  });

  test.each([
    [
      'openai',
      'first',
      { choices: 'none', usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
    ],
    ['anthropic', 'claude', { content: 'none', usage: { input_tokens: 7, output_tokens: 3 } }],
  ])('of %s that cannot be read costs what it counts, each time', async (_protocol, model, body) => {
    scripts(answerJson(body));
    const { status, record } = await recordOf(chat(model));
    const attempt = {
      error: 'provider_invalid_answer',
      usage: { promptTokens: 7, completionTokens: 3 },
      cost: helloCost.first,
    };
    expect([status, record]).toMatchObject([
      500,
      { cost: 2 * helloCost.first, attempts: [attempt, attempt] },
    ]);
  });

  test('that is no JSON is estimated', async () => {
    scripts((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":');
    });
    const { record } = await recordOf(chat('first'));
    expect(record).toMatchObject({ attempts: [guessed, guessed] });
  });
});

describe('nothing is charged', () => {
  test('for calls that the provider answers with an error', async () => {
    scripts(failing, whole);
    const { status, record } = await recordOf(chat('first'));
    expect([status, record]).toMatchObject([
      200,
      {
        cost: helloCost.first,
        attempts: [
          { error: 'provider_error', cost: 0 },
          { usage: { promptTokens: 7 }, cost: helloCost.first },
        ],
      },
    ]);
  });

  test('for a stream that is an error from its beginning', async () => {
    const { stream, streamType } = openai;
    scripts(answerPieces(stream([{ type: 'error' }]), streamType));
    const { record } = await recordOf(chat('first', { stream: true }));
    expect(record).toMatchObject({ cost: 0 });
    expect(record?.attempts.map(({ cost }) => cost)).toEqual(record?.attempts.map(() => 0));
  });
});

describe('a stream', () => {
  test('without an answer costs its estimated prompt', async () => {
    scripts(never);
    const { status, record } = await recordOf(chat('first', { stream: true }));
    const usage = { promptTokens: questionTokens, completionTokens: 0 };
    expect([status, record]).toMatchObject([
      503,
      { cost: promptCost, attempts: [{ usage, estimated: true, cost: promptCost }] },
    ]);
  });

  test.each([
    [
      'with the reported prompt',
      'claude',
      claude.stream([{ type: 'start', usage: { input: 50, output: 1 } }]),
      claude.streamType,
      50,
      1,
    ],
    ['with an estimated prompt', 'first', openai.stream([start]), openai.streamType, questionTokens, 0],
  ])(
    'given up before a fallback costs its prompt: %s',
    async (_name, model, pieces, type, prompt, output) => {
      scripts(answerPieces([...pieces, 20_000], type), streamed);
      const { status, record } = await recordOf(chat(model, { stream: true, ...withFallback }));
      const cost = prompt * 1_000 + output * 2_000;
      expect([status, record]).toMatchObject([
        200,
        {
          cost: cost + helloCost.second,
          attempts: [
            { error: 'provider_timeout', usage: { promptTokens: prompt }, estimated: true, cost },
            { usage: { promptTokens: 7 }, cost: helloCost.second },
          ],
        },
      ]);
    },
  );

  test('that its caller left costs what was seen', async () => {
    scripts(answerPieces([...openai.stream([start, text('Half an answer')]), 20_000], openai.streamType));
    const leaving = new AbortController();
    const response = await post(chat('first', { stream: true }), undefined, leaving.signal);
    const reader = response.body?.getReader();
    while (!String(await reader?.read().then(({ value }) => Buffer.from(value ?? []))).includes('Half'));
    leaving.abort();
    const usage = { promptTokens: questionTokens, completionTokens: 4 };
    const cost = promptCost + 4 * 2_000;
    expect(await untilRecorded()).toMatchObject({
      status: 499,
      cost,
      attempts: [{ usage, estimated: true, cost }],
    });
    await pause(100);
    expect(await ofCaller()).toHaveLength(1);
  });

  test('of a model that may reason out of sight costs what its time suggests, where it is cut', async () => {
    scripts(answerPieces([...openai.stream([start, text('Hm')]), 20_000], openai.streamType));
    const leaving = new AbortController();
    const response = await post(chat('thinker', { stream: true }), undefined, leaving.signal);
    await response.body?.getReader().read();
    leaving.abort();
    const [attempt] = (await untilRecorded())?.attempts ?? [];
    expect(attempt).toMatchObject({ estimated: true });
    expect(attempt?.usage?.completionTokens).toBeGreaterThanOrEqual((readOnMs / 1_000) * tokensPerSecond);
  });

  test('that breaks off costs what was seen, and says so in its attempt', async () => {
    scripts(answerPieces([...openai.stream([start, text('Half an answer')]), 'cut'], openai.streamType));
    const { status, record } = await recordOf(chat('first', { stream: true }));
    const usage = { promptTokens: questionTokens, completionTokens: 4 };
    const attempt = { error: 'provider_stream_cut', estimated: true, usage };
    const cost = promptCost + 4 * 2_000;
    expect([status, record]).toMatchObject([
      200,
      { status: 200, error: 'provider_stream_cut', cost, attempts: [attempt] },
    ]);
  });
});

describe('images', () => {
  const picture = {
    inlineData: { mimeType: 'image/png', data: Buffer.from('a picture').toString('base64') },
  };
  const drawn = answerJson({
    candidates: [{ content: { role: 'model', parts: [picture] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 100, totalTokenCount: 110 },
  });
  const later: UpstreamScript = async (request, response) => {
    await pause(100);
    return drawn(request, response);
  };
  const ofOne = 10 * 1_000 + 100 * 2_000;
  const body = { model: 'attempts/drawn', prompt: 'Four pears.', n: 4 };
  const path = '/v1/images/generations';

  test('three are drawn and the fourth fails: the three are paid for, and not drawn again', async () => {
    const refused = answerJson({ error: { code: 400, status: 'INVALID_ARGUMENT', message: 'No.' } }, 400);
    scripts(refused, later);
    const { status, record } = await recordOf(body, path);
    expect([status, protocols.upstream.requests.length]).toEqual([400, 4]);
    expect(record).toMatchObject({
      cost: 3 * ofOne,
      attempts: [{ usage: { promptTokens: 30, completionTokens: 300 }, cost: 3 * ofOne }],
    });
  });

  test('a retry draws only the one that failed, and costs only that', async () => {
    scripts(answerJson({ error: { code: 503, status: 'UNAVAILABLE', message: 'No.' } }, 503), later);
    const { status, record } = await recordOf(body, path);
    expect([status, protocols.upstream.requests.length]).toEqual([200, 5]);
    expect(record).toMatchObject({
      cost: 4 * ofOne,
      attempts: [
        { error: 'provider_overloaded', cost: 3 * ofOne },
        { usage: { promptTokens: 10 }, cost: ofOne },
      ],
    });
  });

  test('an answer without an image costs what it counts', async () => {
    scripts(answerJson({ candidates: [], usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 } }));
    const { record } = await recordOf({ ...body, n: 1 }, path);
    expect(record?.attempts[0]).toMatchObject({ error: expect.any(String), cost: 10_000 });
  });
});

describe('embeddings', () => {
  const path = '/v1/embeddings';
  const body = { model: 'attempts/vectors', input: ['one', 'two', 'three'] };
  const vectors = (count: number, tokens: number) =>
    answerJson({
      object: 'list',
      data: Array.from({ length: count }, (_, index) => ({
        object: 'embedding',
        index,
        embedding: [0.6, 0.8],
      })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });

  test('of several calls cost what each of them counts, also where one is made again', async () => {
    scripts(vectors(2, 8), failing, vectors(1, 5));
    const { status, record } = await recordOf(body, path);
    expect([status, record]).toMatchObject([
      200,
      { cost: 13_000, attempts: [{ error: 'provider_error', cost: 8_000 }, { cost: 5_000 }] },
    ]);
  });
});

test('a summary that is cut is paid for, and so are its retry and the fallback', async () => {
  const cut = answerJson(claude.body([start, text('Too lo'), { ...finish, reason: 'length' }, end]));
  scripts(cut, cut, answerJson(claude.body(hello)));
  const body = { model: 'attempts/claude', input: question, extra: { fallbacks: ['attempts/claude-too'] } };
  const { status, record } = await recordOf(body, '/v1/responses/compact');
  const failed = { model: 'attempts/claude', error: 'provider_invalid_answer', cost: helloCost.first };
  expect([status, record]).toMatchObject([
    200,
    {
      model: 'attempts/claude-too',
      cost: 2 * helloCost.first + helloCost.second,
      attempts: [failed, failed, { model: 'attempts/claude-too', cost: helloCost.second }],
    },
  ]);
});

test('an answer that is asked for again has attempts of its own, each with its own price', async () => {
  const schema = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  };
  const said = (json: string) => answerJson(openai.body([start, text(json), finish, end]));
  scripts(said('{"city":7}'), said('{"city":"Oslo"}'));
  const format = { type: 'json_schema', json_schema: { name: 'place', schema } };
  const { record } = await recordOf(chat('checked', { response_format: format, extra: { repair: true } }));
  expect(record).toMatchObject({
    status: 200,
    cost: 2 * helloCost.first,
    attempts: [{ cost: helloCost.first }, { cost: helloCost.first }],
  });
});

test('counting tokens calls a provider, costs nothing and is not in the ledger', async () => {
  scripts(answerJson({ input_tokens: 12 }));
  const response = await post({ model: 'attempts/claude', input: question }, '/v1/responses/input_tokens');
  expect(response.status).toBe(200);
  expect(protocols.upstream.requests).toHaveLength(1);
  expect(await ofCaller()).toEqual([]);
});
