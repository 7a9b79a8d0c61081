/** The spans and metrics of requests, from the HTTP request to a strict receiver. */
import { beforeEach, describe, expect, test } from 'vitest';
import { attributesByName } from '../harness/otlp/receiver.ts';
import { answerEvents, answerJson } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';
import { chat, chunks, completion, firstChunks, startTracedGateway } from './traced-gateway.ts';

const traced = use(() =>
  startTracedGateway(({ url }) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=a%20key,x-other=2',
    OTEL_SERVICE_NAME: 'our-gateway',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,team=a%2Cb',
    GATEWAY_TRACE_PROVIDERS: 'openai',
  })),
);

beforeEach(() => traced.receiver.clear());

const path = '/v1/chat/completions';
const callers = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${callers.traceId}-${callers.spanId}-01`;

/** Checks that all was taken, and returns the spans: that of the request first. */
function received() {
  const { receiver } = traced;
  expect(receiver.problems).toEqual([]);
  const [request, ...attempts] = receiver.spans;
  if (!request) throw new Error('No span came.');
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({ traceId: request.traceId, parentSpanId: request.spanId, kind: 3 });
    expect(BigInt(attempt.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano));
    expect(BigInt(attempt.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request.endTimeUnixNano));
  }
  expect(new Set(receiver.spans.map(({ spanId }) => spanId)).size).toBe(receiver.spans.length);
  return { request, attempts, of: attributesByName };
}

const metric = (name: string) => traced.receiver.metrics.find((one) => one.name === name)?.histogram;

test('a request has a span, and its attempt another one', async () => {
  traced.upstream.script(answerJson(completion));
  const response = await traced.ask(path, chat(), {
    'x-gateway-session-id': 'a-session',
    'x-gateway-user-id': 'a-user',
  });
  const { request, attempts, of } = received();
  const requestId = response.headers.get('x-request-id') ?? '';
  expect(request).toMatchObject({ name: 'POST /v1/chat/completions', kind: 2, flags: 1, status: {} });
  expect(request.traceId).toBe(requestId.replaceAll('-', ''));
  expect(request).not.toHaveProperty('parentSpanId');
  expect(of(request.attributes)).toEqual({
    'http.request.method': 'POST',
    'http.route': path,
    'url.path': path,
    'http.response.status_code': 200,
    'gateway.request_id': requestId,
    'gateway.tenant': 'local',
    'gateway.key': expect.stringMatching(/^key_/),
    'gateway.requested_model': 'traced/one',
    'gateway.attempts': 1,
    'gateway.cost_usd': 0.000034,
  });
  expect(attempts).toHaveLength(1);
  expect(attempts[0]).toMatchObject({ name: 'chat traced/one', status: {} });
  expect(of(attempts[0]?.attributes ?? [])).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'traced/one',
    'gen_ai.conversation.id': 'a-session',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 20,
    'gen_ai.usage.cache_read.input_tokens': 5,
    'gen_ai.usage.output_tokens': 7,
    'gen_ai.usage.reasoning.output_tokens': 3,
    'gateway.provider': 'openai',
    'gateway.region': 'global',
    'gateway.attempt': 1,
    'gateway.tenant': 'local',
    'gateway.cost_usd': 0.000034,
  });
});

test('what is sent has no prompt, no answer, no key, and not the id of the user', async () => {
  traced.upstream.script(answerJson(completion));
  await traced.ask(path, chat(), { 'x-gateway-user-id': 'a-user' });
  const text = traced.receiver.bodies.map((body) => body.text).join();
  expect(text).toContain('traced/one');
  for (const secret of ['secret', 'a-user', traced.gateway.apiKey, 'a-provider-key', 'a key'])
    expect(text).not.toContain(secret);
});

test('bodies are compressed JSON with the headers and the resource of the settings', async () => {
  traced.upstream.script(answerJson(completion));
  await traced.ask(path, chat());
  received();
  expect(traced.receiver.bodies.map((body) => body.path).sort()).toEqual(['/v1/metrics', '/v1/traces']);
  for (const { headers, resource } of traced.receiver.bodies) {
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'x-collector-key': 'a key', 'x-other': '2' });
    expect(attributesByName(resource)).toEqual({
      'service.name': 'our-gateway',
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'deployment.environment.name': 'test',
      team: 'a,b',
    });
  }
});

describe('metrics', () => {
  test('of an attempt are histograms of its duration and its tokens', async () => {
    traced.upstream.script(answerJson(completion));
    await traced.ask(path, chat());
    received();
    const common = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'traced/one',
    };
    const duration = metric('gen_ai.client.operation.duration');
    expect(duration?.aggregationTemporality).toBe(1);
    expect(duration?.dataPoints.map((point) => [attributesByName(point.attributes), point.count])).toEqual([
      [common, '1'],
    ]);
    expect(duration?.dataPoints[0]?.explicitBounds).toEqual([
      0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
    ]);
    const tokens = metric('gen_ai.client.token.usage');
    expect(tokens?.dataPoints.map((point) => [attributesByName(point.attributes), point.sum])).toEqual([
      [{ ...common, 'gen_ai.token.type': 'input' }, 20],
      [{ ...common, 'gen_ai.token.type': 'output' }, 7],
    ]);
    expect(tokens?.dataPoints[0]?.bucketCounts.indexOf('1')).toBe(3);
    expect(tokens?.dataPoints[0]?.explicitBounds.at(-1)).toBe(67_108_864);
    expect(metric('gen_ai.client.operation.time_to_first_chunk')).toBeUndefined();
  });

  test('of several requests in one batch are added up, and no time is measured twice', async () => {
    traced.upstream.script(answerJson(completion));
    await traced.ask(path, chat());
    const first = metric('gen_ai.client.operation.duration')?.dataPoints[0];
    traced.receiver.clear();
    await traced.ask(path, chat());
    const second = metric('gen_ai.client.operation.duration')?.dataPoints[0];
    expect(BigInt(second?.startTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(first?.timeUnixNano ?? 1));
  });
});

test('a stream has the time to its first piece, and its span ends with it', async () => {
  traced.upstream.script(answerEvents(chunks));
  await traced.ask(path, chat({ stream: true }));
  const { attempts, of } = received();
  expect(of(attempts[0]?.attributes ?? [])).toMatchObject({
    'gen_ai.request.stream': true,
    'gen_ai.response.time_to_first_chunk': expect.any(Number),
    'gen_ai.response.finish_reasons': ['length'],
  });
  expect(metric('gen_ai.client.operation.time_to_first_chunk')?.dataPoints).toHaveLength(1);
});

test('a stream that is cut off has failed, and its tokens are an estimate', async () => {
  traced.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(firstChunks[0])}\n\n`, () => response.destroy());
  });
  await traced.ask(path, chat({ stream: true }));
  const { request, attempts, of } = received();
  expect(request.status).toEqual({ code: 2 });
  expect(of(request.attributes)).toMatchObject({
    'http.response.status_code': 200,
    'error.type': 'provider_stream_cut',
  });
  expect(attempts[0]?.status).toEqual({ code: 2 });
  expect(of(attempts[0]?.attributes ?? [])).toMatchObject({
    'error.type': 'provider_stream_cut',
    'gateway.usage_estimated': true,
  });
  expect(of(attempts[0]?.attributes ?? [])).not.toHaveProperty('gen_ai.response.finish_reasons');
  expect(metric('gen_ai.client.token.usage')).toBeUndefined();
});

test('a fallback has a span for each attempt', async () => {
  traced.upstream.script((request, response) =>
    request.body.model === 'one'
      ? answerJson({ error: { message: 'no', type: 'invalid_request_error', code: 'model_not_found' } }, 404)(
          request,
          response,
        )
      : answerJson(completion)(request, response),
  );
  await traced.ask(path, chat({ extra: { fallbacks: ['traced/two'] } }));
  const { request, attempts, of } = received();
  expect(request.status).toEqual({});
  expect(of(request.attributes)).toMatchObject({ 'gateway.attempts': 2 });
  expect(attempts.map(({ name, status }) => [name, status.code])).toEqual([
    ['chat traced/one', 2],
    ['chat traced/two', undefined],
  ]);
  expect(of(attempts[0]?.attributes ?? [])).toHaveProperty(['error.type']);
  expect(of(attempts[1]?.attributes ?? [])).toMatchObject({
    'gen_ai.provider.name': 'deepseek',
    'gateway.attempt': 2,
  });
  const durations = metric('gen_ai.client.operation.duration')?.dataPoints ?? [];
  expect(durations.map(({ attributes }) => 'error.type' in of(attributes))).toEqual([true, false]);
});

test('an error of the provider is one of the request', async () => {
  traced.upstream.script(answerJson({ error: { message: 'Overloaded.', type: 'server_error' } }, 500));
  const response = await traced.ask(path, chat());
  const { request, attempts, of } = received();
  expect(response.status).toBeGreaterThanOrEqual(500);
  expect(request.status).toEqual({ code: 2 });
  expect(of(request.attributes)).toMatchObject({
    'http.response.status_code': response.status,
    'error.type': expect.any(String),
  });
  expect(attempts.length).toBeGreaterThan(1);
});

test("what the provider refuses is no failure of the gateway's", async () => {
  traced.upstream.script(answerJson({ error: { message: 'Bad.', type: 'invalid_request_error' } }, 400));
  await traced.ask(path, chat());
  const { request, attempts, of } = received();
  expect(request.status).toEqual({});
  expect(of(request.attributes)).toMatchObject({
    'http.response.status_code': 400,
    'error.type': expect.any(String),
  });
  expect(attempts[0]?.status).toEqual({ code: 2 });
});

test('embeddings have an operation of their own', async () => {
  traced.upstream.script(
    answerJson({
      object: 'list',
      model: 'm',
      data: [{ object: 'embedding', index: 0, embedding: Array(1536).fill(0.1) }],
      usage: { prompt_tokens: 4, total_tokens: 4 },
    }),
  );
  const response = await traced.ask('/v1/embeddings', {
    model: 'openai/text-embedding-3-small',
    input: 'The secret text.',
  });
  expect(response.status).toBe(200);
  const { request, attempts, of } = received();
  expect(request.name).toBe('POST /v1/embeddings');
  expect(attempts[0]?.name).toBe('embeddings openai/text-embedding-3-small');
  expect(of(attempts[0]?.attributes ?? [])).toMatchObject({ 'gen_ai.usage.input_tokens': 4 });
});

test('images have the type of their output', async () => {
  traced.upstream.script(answerJson({ created: 1, data: [{ b64_json: 'aGVsbG8=' }] }));
  const response = await traced.ask('/v1/images/generations', {
    model: 'traced/drawn',
    prompt: 'The secret image.',
  });
  expect(response.status).toBe(200);
  const { attempts, of } = received();
  expect(attempts[0]?.name).toBe('generate_content traced/drawn');
  expect(of(attempts[0]?.attributes ?? [])).toMatchObject({
    'gen_ai.output.type': 'image',
    'gateway.cost_usd': 0.02,
  });
});

describe("the caller's trace", () => {
  test('is continued: its span is the parent, and its state is kept', async () => {
    traced.upstream.script(answerJson(completion));
    await traced.ask(path, chat(), { traceparent, tracestate: 'vendor=1, other@sys=a b' });
    const { request } = received();
    expect(request).toMatchObject({
      traceId: callers.traceId,
      parentSpanId: callers.spanId,
      traceState: 'vendor=1,other@sys=a b',
      flags: 1,
    });
  });

  test('goes on at the providers that are named: each attempt with its own span', async () => {
    let tries = 0;
    traced.upstream.script((request, response) => {
      tries += 1;
      answerJson(tries === 1 ? { error: { message: 'Overloaded.' } } : completion, tries === 1 ? 503 : 200)(
        request,
        response,
      );
    });
    await traced.ask(path, chat(), { traceparent, tracestate: 'vendor=1' });
    const { attempts } = received();
    expect(traced.upstream.requests.map(({ headers }) => [headers.traceparent, headers.tracestate])).toEqual(
      attempts.map(({ spanId }) => [`00-${callers.traceId}-${spanId}-01`, 'vendor=1']),
    );
    expect(attempts).toHaveLength(2);
  });

  test('does not leave the gateway for any other provider', async () => {
    traced.upstream.script(answerJson(completion));
    await traced.ask(path, chat({ model: 'traced/two' }), { traceparent, tracestate: 'vendor=1' });
    received();
    expect(traced.upstream.requests).toHaveLength(1);
    for (const name of ['traceparent', 'tracestate'])
      expect(traced.upstream.requests[0]?.headers).not.toHaveProperty(name);
  });

  test('that is not sampled has no spans, and its metrics count', async () => {
    traced.upstream.script(answerJson(completion));
    await traced.ask(path, chat(), { traceparent: traceparent.replace(/01$/, '00') });
    expect(traced.upstream.requests[0]?.headers.traceparent).toMatch(/-00$/);
    expect(traced.receiver.problems).toEqual([]);
    expect(traced.receiver.spans).toEqual([]);
    expect(metric('gen_ai.client.operation.duration')?.dataPoints).toHaveLength(1);
  });
});

test('a request that reached no provider has no span', async () => {
  const response = await traced.ask(path, chat({ model: 'nobody/nothing' }));
  expect([response.status, traced.receiver.requests()]).toEqual([404, 0]);
});
