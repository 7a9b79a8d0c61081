/** Failures of a target that speaks the Messages API, and what other targets do then. */
import { describe, expect, test } from 'vitest';
import { atAnthropic, message, useFirstLane } from '../../harness/first-lane.ts';
import { answerPieces } from '../../harness/gateways/protocol-gateway.ts';
import { type Json, messagesEventsOf } from '../../harness/messages.ts';
import { answerJson, type UpstreamScript } from '../../harness/upstream.ts';

/** Nothing answers there. */
const unreachable = { DEEPSEEK_UPSTREAM_URL: 'http://127.0.0.1:1', DEEPSEEK_API_KEY: 'a-provider-key' };

const lane = useFirstLane('ANTHROPIC', atAnthropic, unreachable);

const failure = (type: string, words: string, more: object = {}) => ({
  type: 'error',
  error: { type, message: words, ...more },
  request_id: 'req_upstream',
});

const errorOf = async (response: Response) => {
  const body = (await response.json()) as { readonly type: string; readonly error: Json };
  expect(body).toMatchObject({ type: 'error', request_id: expect.any(String) });
  return { status: response.status, ...body.error };
};

describe('Anthropic’s words about the request arrive as they are', () => {
  test.each([
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    'prompt is too long: 205213 tokens > 200000 maximum',
    'messages.1.role: role "system" is not supported for this model',
    'adaptive thinking is not supported on this model',
    'context_management: Extra inputs are not permitted',
    'messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01AbCdEf. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length or `max_tokens` and try again',
  ])('%s', async (words) => {
    const script = answerJson(failure('invalid_request_error', words), 400);
    const error = await errorOf(await lane.answered(script));
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', message: words });
    expect(lane.upstream.requests).toHaveLength(1);
  });

  test('with their details', async () => {
    const words = 'messages.0.content.0.image.source: image dimensions exceed max allowed size';
    const details = { error_code: 'image_dimensions_too_large' };
    const script = answerJson(failure('invalid_request_error', words, { details }), 400);
    expect(await errorOf(await lane.answered(script))).toMatchObject({ message: words, details });
  });
});

test('words about the operator’s account stay hidden', async () => {
  const script = answerJson(failure('authentication_error', 'invalid x-api-key sk-ant-api03-secret'), 401);
  const error = await errorOf(await lane.answered(script));
  expect(error).toMatchObject({ status: 500, type: 'api_error' });
  expect(JSON.stringify(error)).not.toContain('secret');
});

test('what is refused of the body is not sent again without it', async () => {
  const script = answerJson(
    failure('invalid_request_error', 'temperature: Extra inputs are not permitted'),
    400,
  );
  expect(await errorOf(await lane.answered(script, { temperature: 0.5 }))).toMatchObject({ status: 400 });
  expect(lane.upstream.requests.map(({ body }) => body.temperature)).toEqual([0.5]);
});

const start = { type: 'message_start', message: { ...message, content: [], stop_reason: null } };
const begun = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const said = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Go' } };
const stop = { type: 'content_block_stop', index: 0 };
const delta = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } };
const over = { type: 'message_stop' };

const streaming = (events: readonly { readonly type: string }[], ...more: 'cut'[]): UpstreamScript => {
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return answerPieces([Buffer.from(lines.join('')), ...more], 'text/event-stream');
};

describe('a stream that begins and does not end', () => {
  test.each<[string, UpstreamScript, object]>([
    [
      'by an error',
      streaming([start, begun, said, failure('overloaded_error', 'Overloaded')]),
      { type: 'overloaded_error' },
    ],
    [
      'by an error about the request',
      streaming([start, begun, said, failure('invalid_request_error', 'messages.1: Invalid `signature`')]),
      { type: 'invalid_request_error', message: 'messages.1: Invalid `signature`' },
    ],
    ['without message_stop', streaming([start, begun, said, stop, delta]), { type: 'api_error' }],
    ['without a reason', streaming([start, begun, said, stop, over]), { type: 'api_error' }],
    ['with the connection', streaming([start, begun, said], 'cut'), { type: expect.any(String) }],
    [
      'with another message',
      streaming([start, begun, said, { ...start, message: { ...start.message, id: 'msg_2' } }]),
      { type: 'api_error' },
    ],
  ])('%s, has an error as its last event', async (_, script, error) => {
    const response = await lane.answered(script, { stream: true });
    expect(response.status).toBe(200);
    const events = messagesEventsOf(await response.text());
    expect(events.slice(1, 3)).toEqual([begun, said]);
    const request_id = response.headers.get('request-id');
    expect(events.at(-1)).toMatchObject({ type: 'error', error, request_id });
    expect(events.map(({ type }) => type)).not.toContain('message_stop');
  });

  test('is an error status where a body was asked for', async () => {
    const response = await lane.answered(streaming([start, begun, said, stop, delta]));
    expect(await errorOf(response)).toMatchObject({ status: 500, type: 'api_error' });
  });
});

describe('a stream that fails before its content is asked for again', () => {
  test.each<[string, UpstreamScript]>([
    ['by an error', streaming([start, { type: 'ping' }, failure('api_error', 'Internal')])],
    ['without a start', streaming([begun, said, stop, delta, over])],
    ['without anything', streaming([{ type: 'ping' }])],
  ])('%s', async (_, script) => {
    let calls = 0;
    const events = [start, begun, said, stop, delta, over];
    const response = await lane.answered(
      (request, out) => {
        calls += 1;
        return (calls === 1 ? script : streaming(events))(request, out);
      },
      { stream: true },
    );
    expect(response.status).toBe(200);
    expect(messagesEventsOf(await response.text()).slice(1)).toEqual(events.slice(1));
    expect(calls).toBe(2);
  });
});

describe('fallbacks', () => {
  const overloaded = answerJson(failure('overloaded_error', 'Overloaded'), 529);
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' };
  const conversation = [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: [thinking, { type: 'text', text: 'Yes?' }] },
    { role: 'user', content: 'How is the weather?' },
  ];
  const routing = { debug: ['routing', 'normalizations'] };

  test.each([true, false])('from Claude to another family (stream: %s)', async (stream) => {
    const extra = { ...routing, fallbacks: ['openai/gpt-5.5'] };
    const body = { max_tokens: 100, messages: conversation, stream, unheard_of: 1, extra };
    const response = await lane.answered(overloaded, body);
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringContaining('openai/gpt-5.5')]);
    const answer = stream
      ? messagesEventsOf(text).find(({ type }) => type === 'message_delta')
      : (JSON.parse(text) as Json);
    expect(answer?.debug).toMatchObject({
      routing: [
        { provider: 'anthropic', status: 'failed' },
        { provider: 'anthropic', status: 'failed' },
        { provider: 'openai', status: 'succeeded' },
      ],
      normalizations: expect.arrayContaining([expect.objectContaining({ param: 'unheard_of' })]),
    });
  });

  test('from another family to Claude, which gets the body as it came', async () => {
    const asked = { max_tokens: 100, messages: conversation, stop_sequences: ['.'], unheard_of: 1 };
    const extra = { ...routing, fallbacks: [atAnthropic] };
    const response = await lane.answered(answerJson(message), {
      model: 'deepseek/deepseek-v4-flash',
      ...asked,
      extra,
    });
    const { debug } = (await response.json()) as Json;
    expect(debug).toMatchObject({ normalizations: [] });
    expect(lane.upstream.requests.map(({ body }) => body)).toEqual([{ model: 'claude-opus-4-6', ...asked }]);
  });
});
