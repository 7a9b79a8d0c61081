/** Writes an answer in the Bedrock protocol, as a body or as the binary messages of an event stream. */
import { EventStreamCodec } from '@smithy/eventstream-codec';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { stopReasons } from '../anthropic/write.ts';
import type { Answer, SandboxCall } from '../exchange.ts';
import type { CacheCounts } from '../prompt-cache.ts';
import { argumentPieces, piecesOf } from '../script.ts';
import { seal } from '../signature.ts';

interface ConverseOptions {
  /** Whether the model signs its reasoning, as Claude does. */
  readonly signs: boolean;
  readonly cache: CacheCounts;
  /** The service tier that the request asks for. */
  readonly tier: string;
}

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8')),
  (text) => Buffer.from(text, 'utf8'),
);

/** One binary message. The padding `p` is the provider's own habit, and to be ignored. */
export function encodeEvent(type: string, payload: JsonObject, messageType: 'event' | 'exception' = 'event') {
  const header = (value: string) => ({ type: 'string' as const, value });
  return codec.encode({
    headers: {
      [messageType === 'event' ? ':event-type' : ':exception-type']: header(type),
      ':content-type': header('application/json'),
      ':message-type': header(messageType),
    },
    body: Buffer.from(JSON.stringify(messageType === 'event' ? { ...payload, p: 'abcdef' } : payload)),
  });
}

export function writeConverse(answer: Answer, { signs, cache, tier }: ConverseOptions): JsonObject {
  const { reasoning, text, calls } = answer;
  const reasoningText = { text: reasoning, ...(signs && { signature: seal(reasoning) }) };
  const content = [
    ...(reasoning ? [{ reasoningContent: { reasoningText } }] : []),
    ...(text ? [{ text }] : []),
    ...calls.map((call) => ({ toolUse: { ...callHead(call), input: call.arguments } })),
  ];
  return {
    output: { message: { role: 'assistant', content } },
    stopReason: stopReasons[answer.finish],
    usage: writeUsage(answer, cache),
    metrics: { latencyMs: 42 },
    serviceTier: { type: tier },
  };
}

/** The messages of a stream. Usage comes after the stop, as the provider sends it. */
export function writeConverseStream(answer: Answer, options: ConverseOptions): readonly Uint8Array[] {
  const blocks = [reasoningBlock(answer, options), textBlock(answer), ...answer.calls.map(callBlock)];
  return [
    encodeEvent('messageStart', { role: 'assistant' }),
    ...blocks.filter(({ deltas }) => deltas.length > 0).flatMap(encodeBlock),
    encodeEvent('messageStop', { stopReason: stopReasons[answer.finish] }),
    encodeEvent('metadata', {
      usage: writeUsage(answer, options.cache),
      metrics: { latencyMs: 42 },
      serviceTier: { type: options.tier },
    }),
  ];
}

interface Block {
  /** Only calls are announced. */
  readonly start?: JsonObject;
  readonly deltas: readonly JsonObject[];
}

function reasoningBlock({ reasoning }: Answer, { signs }: ConverseOptions): Block {
  if (reasoning === '') return { deltas: [] };
  const texts = piecesOf(reasoning).map((text) => ({ reasoningContent: { text } }));
  return { deltas: signs ? [...texts, { reasoningContent: { signature: seal(reasoning) } }] : texts };
}

function textBlock({ text }: Answer): Block {
  return { deltas: piecesOf(text).map((piece) => ({ text: piece })) };
}

function callBlock(call: SandboxCall): Block {
  const deltas = argumentPieces(call.arguments).map((input) => ({ toolUse: { input } }));
  return { start: { toolUse: callHead(call) }, deltas };
}

function encodeBlock({ start, deltas }: Block, contentBlockIndex: number): readonly Uint8Array[] {
  return [
    ...(start ? [encodeEvent('contentBlockStart', { contentBlockIndex, start })] : []),
    ...deltas.map((delta) => encodeEvent('contentBlockDelta', { contentBlockIndex, delta })),
    encodeEvent('contentBlockStop', { contentBlockIndex }),
  ];
}

function callHead({ id, name }: SandboxCall) {
  return { toolUseId: `tooluse_${id}`, name };
}

/** What was read from the cache or written to it is not counted among the input. */
function writeUsage({ usage }: Answer, { read, write, writeHour }: CacheCounts): JsonObject {
  const inputTokens = Math.max(1, usage.input - read - write);
  const outputTokens = usage.output + usage.reasoning;
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + read + write + outputTokens,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: write,
    cacheDetails: [
      { ttl: '1h', inputTokens: writeHour },
      { ttl: '5m', inputTokens: write - writeHour },
    ].filter((detail) => detail.inputTokens > 0),
  };
}
