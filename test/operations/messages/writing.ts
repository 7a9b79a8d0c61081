/** Writes events as a Messages stream and as a body. */
import { expect } from 'vitest';
import { pipe } from '../../../lib/async/pipe.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import { writeEvent } from '../../../lib/http/streamed-body.ts';
import {
  type MessagesAnswer,
  messagesStream,
  writeMessagesBody,
} from '../../../lib/operations/messages/write/write-stream.ts';
import { checkedMessage, type MessageSeen, readMessagesStream } from '../../harness/messages.ts';

export const answer: MessagesAnswer = {
  id: 'msg_1',
  model: 'acme/one',
  provider: 'acme',
  inputTokens: 12,
  thinking: 'all',
  stopSequences: [],
  cost: undefined,
  debug: () => undefined,
};

async function* inBatches(events: readonly GenerationEvent[], size: number) {
  for (let at = 0; at < events.length; at += size) yield events.slice(at, at + size);
}

/** The text of the stream. `size`: how many events come together. */
export async function streamText(
  events: readonly GenerationEvent[],
  more: Partial<MessagesAnswer> = {},
  size = events.length,
): Promise<string> {
  const lists = await Array.fromAsync(pipe(inBatches(events, size), messagesStream({ ...answer, ...more })));
  return lists.flat().map(writeEvent).join('');
}

/** The message, which the stream, in any batches, and the body have alike. */
export async function written(
  events: readonly GenerationEvent[],
  more: Partial<MessagesAnswer> = {},
): Promise<MessageSeen> {
  const text = await streamText(events, more);
  expect(await streamText(events, more, 1)).toBe(text);
  const { message, error } = readMessagesStream(text);
  expect(error).toBeUndefined();
  const passed = pipe(inBatches(events, 2), {
    each(list, out: GenerationEvent[]) {
      out.push(...list);
    },
  });
  const body = await writeMessagesBody(passed, { ...answer, ...more });
  expect(checkedMessage(body as MessageSeen)).toEqual(message);
  return message;
}

export const usage = {
  promptTokens: 10,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 4,
  reasoningTokens: 1,
};

export const start: GenerationEvent = { type: 'start' };
export const text = (piece: string): GenerationEvent => ({ type: 'text', choice: 0, text: piece });
export const reasoning = (piece: string): GenerationEvent => ({ type: 'reasoning', choice: 0, text: piece });
export const call = (number: number, name = `tool_${number}`): GenerationEvent => ({
  type: 'tool-call',
  choice: 0,
  call: number,
  id: `call_${number}`,
  name,
});
export const argument = (number: number, piece: string): GenerationEvent => ({
  type: 'tool-arguments',
  choice: 0,
  call: number,
  text: piece,
});
export const signature = (data: string, id?: string): GenerationEvent => ({
  type: 'reasoning-detail',
  choice: 0,
  detail: {
    type: 'reasoning.encrypted',
    data,
    format: 'google-gemini-v1',
    index: 0,
    ...(id !== undefined && { id }),
  },
});
export const finish = (
  reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' = 'stop',
  more: object = {},
): GenerationEvent => ({ type: 'finish', choice: 0, reason, ...more });
export const counted: GenerationEvent = { type: 'usage', usage };
