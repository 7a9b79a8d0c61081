/** Small pieces of Anthropic's protocol, and a function to decode them. */
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { decodeFrames, joined } from '../answer.ts';

export type Wire = Readonly<Record<string, unknown>>;

export const frame = (event: Wire) => ({ event: String(event.type), data: JSON.stringify(event) });

export const decode = (...events: readonly Wire[]) =>
  joined(decodeFrames(anthropicMessages, events.map(frame)));

export const message = (parts: Wire = {}): Wire => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 5 },
  ...parts,
});

export const start = (usage: Wire = { input_tokens: 10, output_tokens: 1 }): Wire => ({
  type: 'message_start',
  message: message({ stop_reason: null, usage }),
});
export const delta = (index: number, value: Wire): Wire => ({
  type: 'content_block_delta',
  index,
  delta: value,
});
export const open = (index: number, content_block: Wire): Wire => ({
  type: 'content_block_start',
  index,
  content_block,
});
export const close = (index: number): Wire => ({ type: 'content_block_stop', index });
export const end = (
  stop_reason: string,
  usage: Wire = { output_tokens: 5 },
  more: Wire = {},
): readonly Wire[] => [
  { type: 'message_delta', delta: { stop_reason, ...more }, usage },
  { type: 'message_stop' },
];
