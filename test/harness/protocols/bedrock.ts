/** Steps in the Converse protocol of Bedrock. */
import { encodeEvent } from '../../../sandbox/bedrock/write.ts';
import { type BlockPiece, withBlocks } from './blocks.ts';
import { type Counts, foldSteps, type ProtocolScript, type Step } from './step.ts';

const reasons = { stop: 'end_turn', length: 'max_tokens', calls: 'tool_use' } as const;

const usageOf = ({ input, output }: Counts) => ({
  inputTokens: input,
  outputTokens: output,
  totalTokens: input + output,
});

const metadata = (usage: Counts | undefined) =>
  usage ? [encodeEvent('metadata', { usage: usageOf(usage), metrics: { latencyMs: 1 } })] : [];

function writeBlock({ at, index: contentBlockIndex, step }: BlockPiece): readonly Uint8Array[] {
  if (at === 'close') return [encodeEvent('contentBlockStop', { contentBlockIndex })];
  if (at === 'open') {
    // Only calls are announced.
    if (step.type !== 'call') return [];
    const start = { toolUse: { toolUseId: step.id, name: step.name } };
    return [encodeEvent('contentBlockStart', { contentBlockIndex, start })];
  }
  return [encodeEvent('contentBlockDelta', { contentBlockIndex, delta: deltaOf(step) })];
}

function deltaOf(step: Step): object {
  if (step.type === 'text') return { text: step.text };
  if (step.type === 'reasoning') return { reasoningContent: { text: step.text } };
  return { toolUse: { input: step.type === 'arguments' ? step.text : '' } };
}

function write(step: Step | BlockPiece): readonly Uint8Array[] {
  if ('at' in step) return writeBlock(step);
  switch (step.type) {
    case 'start':
      return [encodeEvent('messageStart', { role: 'assistant' }), ...metadata(step.usage)];
    case 'finish':
      return [encodeEvent('messageStop', { stopReason: reasons[step.reason] }), ...metadata(step.usage)];
    case 'error':
      return [encodeEvent('internalServerException', { message: 'Internal error' }, 'exception')];
    case 'malformed':
      return [damaged()];
    default:
      return [];
  }
}

/** A message whose checksum does not fit. */
function damaged(): Uint8Array {
  const message = encodeEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'damaged' } });
  return message.map((byte, at) => (at === message.length - 1 ? byte ^ 255 : byte));
}

function body(steps: readonly Step[]): object {
  const { text, reasoning, calls, reason, usage } = foldSteps(steps);
  const content = [
    ...(reasoning === '' ? [] : [{ reasoningContent: { reasoningText: { text: reasoning } } }]),
    ...(text === '' ? [] : [{ text }]),
    ...calls.map(({ id, name, arguments: input }) => ({
      toolUse: { toolUseId: id, name, input: JSON.parse(input) },
    })),
  ];
  return {
    output: { message: { role: 'assistant', content } },
    stopReason: reasons[reason],
    ...(usage && { usage: usageOf(usage) }),
  };
}

export const bedrockScript: ProtocolScript = {
  protocol: 'bedrock',
  model: 'amazon/nova-pro',
  streamType: 'application/vnd.amazon.eventstream',
  endsWithFinish: true,
  piecewiseArguments: true,
  stream: (steps) => withBlocks(steps).flatMap(write),
  body,
  // This protocol has no error body with status 200; anything but a message is an invalid answer.
  errorBody: { message: 'Internal error' },
};
