/** What hosts with the OpenAI protocol answer, as their messages: in both forms, through the whole gateway. */
import { describe, expect, test } from 'vitest';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import { askMessages, type MessageSeen, readMessagesStream } from '../../harness/messages.ts';
import { answerEvents, answerJson } from '../../harness/upstream.ts';

const protocols = useProtocolGateway();
const model = 'openai/gpt-4.1-mini';

interface Answered {
  readonly message: object;
  readonly finish?: string;
  /** Beside the finish reason. */
  readonly more?: object;
  readonly usage?: object;
}

/** The host answers with this message, in one chunk or as a body. */
function script(stream: boolean, { message, finish = 'stop', more, usage }: Answered): void {
  const choice = { index: 0, finish_reason: finish, ...more };
  const beside = usage && { usage };
  protocols.upstream.script(
    stream
      ? answerEvents([{ choices: [{ ...choice, delta: message }], ...beside }])
      : answerJson({ choices: [{ ...choice, message }], ...beside }),
  );
}

function ask(stream: boolean, answered: Answered, body: object = {}): Promise<MessageSeen> {
  script(stream, answered);
  return askMessages(protocols.gateway, { model, stream, ...body });
}

const calling = (text: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'write', arguments: text } }],
});
const said = { role: 'assistant', content: 'Hello.' };
const tools = [{ name: 'write', input_schema: { type: 'object' } }];

describe.each([true, false])('streamed: %s', (stream) => {
  test('what was read from a cache and written to one is no input', async () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 5 },
    };
    expect((await ask(stream, { message: said, usage })).usage).toMatchObject({
      input_tokens: 10,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 5 },
    });
  });

  test.each([
    ['vLLM', { stop_reason: 'END' }],
    ['SGLang', { matched_stop: 'END' }],
  ])('the stop sequence is known where %s serves', async (_name, more) => {
    const stopped = await ask(stream, { message: said, more }, { stop_sequences: ['END'] });
    expect(stopped).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' });
    expect(await ask(stream, { message: said, more })).toMatchObject({ stop_reason: 'end_turn' });
  });

  test('what was asked about the request is in the answer', async () => {
    const extra = { debug: ['routing', 'cost'] };
    const usage = { prompt_tokens: 10, completion_tokens: 2 };
    const message = await ask(stream, { message: said, usage }, { extra });
    expect(message.debug).toEqual({
      routing: [expect.objectContaining({ status: 'succeeded', provider: 'openai' })],
      cost: expect.any(Number),
    });
    expect(message.usage.cost).toBe(message.debug?.cost);
  });
});

const broken = { message: calling('[1]'), finish: 'tool_calls' };
const failure = {
  type: 'error',
  error: { type: 'invalid_request_error', code: 'tool_use_failed', message: expect.any(String), param: null },
  request_id: expect.any(String),
};
const body = { model, max_tokens: 100, tools, messages: [{ role: 'user', content: 'Hello.' }] };

test('a call whose input is no object is an error', async () => {
  script(false, broken);
  const response = await protocols.gateway.post('/v1/messages', body);
  expect([response.status, await response.json()]).toEqual([400, failure]);
});

test('a call whose input is no object ends a stream with an error', async () => {
  script(true, broken);
  const response = await protocols.gateway.post('/v1/messages', { ...body, stream: true });
  expect(readMessagesStream(await response.text()).error).toEqual(failure);
});
