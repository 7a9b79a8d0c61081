/** How the failing provider answers in each protocol: pieces of a stream, and errors. */
import type { ServerResponse } from 'node:http';

export interface Speech {
  begin(response: ServerResponse): void;
  /** One event for each word. */
  say(response: ServerResponse, spoken: readonly string[], before?: string): void;
  /** Without its mark, the stream only lacks what shows that nothing follows. */
  finish(response: ServerResponse, outputTokens: number, isMarked: boolean): void;
  /** An event that shows that it is still there. */
  readonly heartbeat: string;
  /** An event that is not JSON. */
  readonly broken: string;
  errorBody(code: string): object;
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

const spaced = (spoken: readonly string[], before: string): readonly string[] =>
  spoken.map((word, position) => `${position === 0 ? before : ' '}${word}`);

function sendChunk(response: ServerResponse, choices: readonly object[], more: object = {}): void {
  const chunk = { id: 'one', object: 'chat.completion.chunk', created: 1, model: 'one', choices, ...more };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

export const chatSpeech: Speech = {
  begin(response) {
    beginStream(response);
    sendChunk(response, [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
  },
  say(response, spoken, before = '') {
    for (const content of spaced(spoken, before))
      sendChunk(response, [{ index: 0, delta: { content }, finish_reason: null }]);
  },
  finish(response, outputTokens, isMarked) {
    sendChunk(response, [{ index: 0, delta: {}, finish_reason: 'stop' }]);
    const usage = { prompt_tokens: 10, completion_tokens: outputTokens, total_tokens: 10 + outputTokens };
    sendChunk(response, [], { usage });
    response.end(isMarked ? 'data: [DONE]\n\n' : '');
  },
  heartbeat: ': still here\n\n',
  broken: 'data: {"choices": [{"delta": {"content": \n\n',
  errorBody: (code) => ({
    error: { message: `Refused: ${code}`, type: 'provider_error', param: null, code },
  }),
};

function sendEvent(
  response: ServerResponse,
  event: { readonly type: string } & Readonly<Record<string, unknown>>,
): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** Anthropic has types and words in place of codes. Source: platform.claude.com/docs/en/api/errors. */
const anthropicErrors: Readonly<Record<string, readonly [type: string, message: string]>> = {
  overloaded: ['overloaded_error', 'Overloaded'],
  rate_limit_exceeded: ['rate_limit_error', 'This request would exceed the rate limit of your organization.'],
  server_error: ['api_error', 'Internal server error'],
  context_length_exceeded: ['invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'],
  content_policy_violation: ['invalid_request_error', 'Output blocked by content filtering policy'],
  invalid_prefill: ['invalid_request_error', 'This model does not support assistant message prefill.'],
};

export const messagesSpeech: Speech = {
  begin(response) {
    beginStream(response);
    const message = {
      id: 'msg_one',
      type: 'message',
      role: 'assistant',
      model: 'one',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 1 },
    };
    sendEvent(response, { type: 'message_start', message });
    sendEvent(response, {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'text', text: '' },
    });
  },
  say(response, spoken, before = '') {
    for (const text of spaced(spoken, before))
      sendEvent(response, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
  },
  finish(response, outputTokens, isMarked) {
    sendEvent(response, { type: 'content_block_stop', index: 0 });
    const delta = { stop_reason: 'end_turn', stop_sequence: null };
    sendEvent(response, { type: 'message_delta', delta, usage: { output_tokens: outputTokens } });
    if (isMarked) sendEvent(response, { type: 'message_stop' });
    response.end();
  },
  heartbeat: 'event: ping\ndata: {"type": "ping"}\n\n',
  broken: 'event: content_block_delta\ndata: {"type": "content_block_delta", "delta": \n\n',
  errorBody(code) {
    const [type, message] = anthropicErrors[code] ?? ['api_error', `Refused: ${code}`];
    return { type: 'error', error: { type, message }, request_id: 'req_one' };
  },
};
