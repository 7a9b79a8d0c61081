/** Requests a streamed answer as a caller of chat or of Messages, and checks the grammar of the stream. */
import { expect } from 'vitest';
import { readChatStream } from '../harness/chat-stream.ts';
import type { TestGateway } from '../harness/gateways/gateway.ts';
import { readMessagesStream } from '../harness/messages.ts';
import { startStopwatch } from '../harness/stopwatch.ts';
import { wholeAnswer } from './failing-provider.ts';
import type { Seen } from './judge.ts';

/** What is read of a stream. */
type Read = Pick<Seen, 'model' | 'outputTokens' | 'error'> & {
  readonly text: string;
  readonly debug: unknown;
};

export interface Caller {
  readonly path: string;
  readonly fields: object;
  readonly read: (text: string) => Read;
  /** Of a body, or of the last event of a stream. */
  readonly readError: (given: unknown) => Seen['error'];
}

type Failed = { readonly error?: Seen['error'] } | undefined;

const chatCaller: Caller = {
  path: '/v1/chat/completions',
  fields: { stream_options: { include_usage: true } },
  read(text) {
    const { chunks, choices, usage, error } = readChatStream(text);
    return {
      model: chunks[0]?.model,
      text: choices.get(0)?.content ?? '',
      outputTokens: (usage as { readonly completion_tokens?: number } | undefined)?.completion_tokens,
      error,
      debug: chunks.at(-1)?.debug,
    };
  },
  readError: (given) => (given as Failed)?.error,
};

const readAnthropicError: Caller['readError'] = (given) => {
  if (given) expect(given).toMatchObject({ type: 'error', request_id: expect.stringMatching(/./) });
  return (given as Failed)?.error;
};

const messagesCaller = (isOriginal: boolean): Caller => ({
  path: '/v1/messages',
  fields: { max_tokens: 1000 },
  read(text) {
    const { message, error } = readMessagesStream(text, { isOriginal });
    return {
      model: message.model,
      text: message.content.map((block) => block.text).join(''),
      outputTokens: message.usage.output_tokens as number,
      error: readAnthropicError(error),
      debug: message.debug,
    };
  },
  readError: readAnthropicError,
});

/** A caller with a provider's protocol. `reported`: the scenarios that end with an error. */
interface Way {
  readonly caller: Caller;
  readonly owner: 'faults' | 'native';
  readonly reported: readonly string[];
}

const broken = ['s08', 's09', 's14'];

export const ways: Readonly<Record<string, Way>> = {
  'chat, over the chat protocol': { caller: chatCaller, owner: 'faults', reported: broken },
  'Messages, over the chat protocol': { caller: messagesCaller(false), owner: 'faults', reported: broken },
  // Its streams are whole only with `message_stop`.
  'chat, over Anthropic’s protocol': {
    caller: chatCaller,
    owner: 'native',
    reported: ['s08', 's09', 's11', 's14'],
  },
  'Messages, over Anthropic’s protocol': {
    caller: messagesCaller(true),
    owner: 'native',
    reported: ['s08', 's09', 's11', 's14'],
  },
};

export async function askStreamed(
  gateway: TestGateway,
  { path, fields, read, readError }: Caller,
  model: string,
  extra: object,
): Promise<Seen> {
  const began = performance.now();
  const watch = startStopwatch();
  const response = await gateway.post(path, {
    model,
    messages: [{ role: 'user', content: 'Say the words.' }],
    stream: true,
    ...fields,
    extra: { debug: ['routing'], ...extra },
  });
  const text = await response.text();
  const ms = performance.now() - began;
  const { status, headers } = response;
  const head = { status, headers, ms, waitedMs: watch.waitedMs() };
  if (status !== 200) {
    const error = readError(JSON.parse(text));
    return { ...head, outcome: 'error', model: undefined, outputTokens: undefined, error, routing: [] };
  }
  const { text: said, error, debug, ...seen } = read(text);
  const success = said === wholeAnswer ? 'whole' : 'truncated';
  const { routing = [] } = (debug ?? {}) as { readonly routing?: Seen['routing'] };
  return { ...head, ...seen, error, outcome: error ? 'error' : success, routing };
}
