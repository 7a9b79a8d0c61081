/** Small pieces of Anthropic's protocol, and a function to decode them. */
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { decodeFrames, joined } from '../answer.ts';

export type Json = Readonly<Record<string, unknown>>;

export const frame = (event: Json) => ({ event: String(event.type), data: JSON.stringify(event) });

export const decode = (...events: readonly Json[]) =>
  joined(decodeFrames(anthropicMessages, events.map(frame)));

export const message = (parts: Json = {}): Json => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 5 },
  ...parts,
});

export const start = (usage: Json = { input_tokens: 10, output_tokens: 1 }): Json => ({
  type: 'message_start',
  message: message({ stop_reason: null, usage }),
});
export const delta = (index: number, value: Json): Json => ({
  type: 'content_block_delta',
  index,
  delta: value,
});
export const open = (index: number, content_block: Json): Json => ({
  type: 'content_block_start',
  index,
  content_block,
});
export const close = (index: number): Json => ({ type: 'content_block_stop', index });
export const end = (
  stop_reason: string,
  usage: Json = { output_tokens: 5 },
  more: Json = {},
): readonly Json[] => [
  { type: 'message_delta', delta: { stop_reason, ...more }, usage },
  { type: 'message_stop' },
];
