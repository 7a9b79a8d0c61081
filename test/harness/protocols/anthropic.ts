/** Steps in the Messages protocol of Anthropic. */
import { type BlockPiece, withBlocks } from './blocks.ts';
import { type Counts, foldSteps, type ProtocolScript, type Step, sse } from './step.ts';

const reasons = { stop: 'end_turn', length: 'max_tokens', calls: 'tool_use' } as const;
const error = { type: 'error', error: { type: 'api_error', message: 'Internal server error' } };

const usageOf = ({ input, output }: Counts) => ({ input_tokens: input, output_tokens: output });
const event = (type: string, fields: object = {}) => sse({ type, ...fields }, type);
const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'one' };

const opened = {
  text: { type: 'text', text: '' },
  reasoning: { type: 'thinking', thinking: '', signature: '' },
};

function writeBlock({ at, index, kind, step }: BlockPiece): readonly Uint8Array[] {
  if (at === 'close') {
    const signature = { type: 'signature_delta', signature: 'c2lnbmVk' };
    const signed = kind === 'reasoning' ? [event('content_block_delta', { index, delta: signature })] : [];
    return [...signed, event('content_block_stop', { index })];
  }
  if (at === 'open') {
    const call = step.type === 'call' && { type: 'tool_use', id: step.id, name: step.name, input: {} };
    return [event('content_block_start', { index, content_block: kind === 'call' ? call : opened[kind] })];
  }
  return [event('content_block_delta', { index, delta: deltaOf(step) })];
}

function deltaOf(step: Step): object {
  if (step.type === 'text') return { type: 'text_delta', text: step.text };
  if (step.type === 'reasoning') return { type: 'thinking_delta', thinking: step.text };
  return { type: 'input_json_delta', partial_json: step.type === 'arguments' ? step.text : '' };
}

function write(step: Step | BlockPiece): readonly Uint8Array[] {
  if ('at' in step) return writeBlock(step);
  switch (step.type) {
    case 'start': {
      const usage = step.usage ? { usage: usageOf(step.usage) } : {};
      return [event('message_start', { message: { ...head, content: [], stop_reason: null, ...usage } })];
    }
    case 'ping':
      return [event('ping')];
    case 'finish': {
      const usage = step.usage ? { usage: usageOf(step.usage) } : {};
      return [event('message_delta', { delta: { stop_reason: reasons[step.reason] }, ...usage })];
    }
    case 'end':
      return [event('message_stop')];
    case 'error':
      return [sse(error, 'error')];
    case 'malformed':
      return [sse('{"type": "content_block_de', 'content_block_delta')];
    default:
      return [];
  }
}

function body(steps: readonly Step[]): object {
  const { text, reasoning, calls, reason, usage } = foldSteps(steps);
  const content = [
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature: 'c2lnbmVk' }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, arguments: input }) => ({
      type: 'tool_use',
      id,
      name,
      input: JSON.parse(input),
    })),
  ];
  return { ...head, content, stop_reason: reasons[reason], ...(usage && { usage: usageOf(usage) }) };
}

export const anthropicScript: ProtocolScript = {
  protocol: 'anthropic',
  // At this provider alone: others would be asked where it fails.
  model: 'anthropic/claude-opus-4-6:anthropic',
  streamType: 'text/event-stream',
  endsWithFinish: false,
  piecewiseArguments: true,
  stream: (steps) => withBlocks(steps).flatMap(write),
  body,
  errorBody: error,
};
