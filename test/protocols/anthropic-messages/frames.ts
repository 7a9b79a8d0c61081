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
const delta = (index: number, value: Json): Json => ({
  type: 'content_block_delta',
  index,
  delta: value,
});
const open = (index: number, content_block: Json): Json => ({
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
/** A whole block: how it starts, and its pieces. */
export const block = (index: number, content_block: Json, ...pieces: readonly Json[]): readonly Json[] => [
  open(index, content_block),
  ...pieces.map((piece) => delta(index, piece)),
  close(index),
];
export const emptyText: Json = { type: 'text', text: '' };
export const textPiece = (text: string): Json => ({ type: 'text_delta', text });
export const inputPiece = (partial_json: string): Json => ({ type: 'input_json_delta', partial_json });
