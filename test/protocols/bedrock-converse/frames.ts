/** Small pieces of Bedrock's protocol, and a function to decode them. */
import { bedrockConverse } from '../../../lib/protocols/bedrock-converse/protocol.ts';
import { decodeFrames, joined } from '../answer.ts';

export type Json = Readonly<Record<string, unknown>>;
export type Piece = readonly [string, Json];

export const frame = ([event, data]: Piece) => ({ event, data: JSON.stringify({ ...data, p: 'abc' }) });

export const decode = (...pieces: readonly Piece[]) =>
  joined(decodeFrames(bedrockConverse, pieces.map(frame)));

export const counts = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

export const body = (content: readonly Json[], stopReason = 'end_turn', usage: Json = counts): Json => ({
  output: { message: { role: 'assistant', content } },
  stopReason,
  usage,
  metrics: { latencyMs: 1 },
});

export const start: Piece = ['messageStart', { role: 'assistant' }];
export const delta = (contentBlockIndex: number, value: Json): Piece => [
  'contentBlockDelta',
  { contentBlockIndex, delta: value },
];
export const open = (contentBlockIndex: number, toolUse: Json): Piece => [
  'contentBlockStart',
  { contentBlockIndex, start: { toolUse } },
];
export const close = (contentBlockIndex: number): Piece => ['contentBlockStop', { contentBlockIndex }];
export const stop = (stopReason: string): Piece => ['messageStop', { stopReason }];
export const metadata = (usage: Json = counts): Piece => ['metadata', { usage, metrics: { latencyMs: 1 } }];

export const redacted = Buffer.from('ZGF0YQ==').toString('base64');
