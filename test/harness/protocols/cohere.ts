/** Steps in the Cohere protocol, where the finish is the end of a stream. */
import { type BlockPiece, withBlocks } from './blocks.ts';
import { type Counts, foldSteps, type ProtocolScript, type Step, sse } from './step.ts';

const reasons = { stop: 'COMPLETE', length: 'MAX_TOKENS', calls: 'TOOL_CALL' } as const;

const usageOf = ({ input, output }: Counts) => ({
  usage: { tokens: { input_tokens: input, output_tokens: output } },
});
const event = (type: string, fields: object = {}) => sse({ type, ...fields }, type);
const ended = (delta: object) => event('message-end', { delta });

const callOf = (id: string, name: string, text: string) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

function writeBlock({ at, index, kind, step }: BlockPiece): readonly Uint8Array[] {
  const name = kind === 'call' ? 'tool-call' : 'content';
  if (at === 'close') return [event(`${name}-end`, { index })];
  const type = at === 'open' ? `${name}-start` : `${name}-delta`;
  if (kind !== 'call') {
    const field = kind === 'text' ? 'text' : 'thinking';
    const piece = at === 'open' || !('text' in step) ? '' : step.text;
    const content = { ...(at === 'open' && { type: field }), [field]: piece };
    return [event(type, { index, delta: { message: { content } } })];
  }
  const begun = step.type === 'call' ? callOf(step.id, step.name, '') : {};
  const more = step.type === 'arguments' ? { function: { arguments: step.text } } : {};
  return [event(type, { index, delta: { message: { tool_calls: { ...begun, ...more } } } })];
}

function write(step: Step | BlockPiece): readonly Uint8Array[] {
  if ('at' in step) return writeBlock(step);
  switch (step.type) {
    case 'start':
      return [event('message-start', { id: 'one', delta: { message: { role: 'assistant', content: [] } } })];
    case 'ping':
      return [Buffer.from(': ping\n\n')];
    case 'finish':
      return [ended({ finish_reason: reasons[step.reason], ...(step.usage && usageOf(step.usage)) })];
    case 'error':
      return [ended({ finish_reason: 'ERROR', error: 'internal server error' })];
    case 'malformed':
      return [sse('{"type": "content-de', 'content-delta')];
    default:
      return [];
  }
}

/** The protocol reports usage nowhere else. */
function countedAtEnd(steps: readonly Step[]): readonly Step[] {
  const { usage } = foldSteps(steps);
  return steps.map((step) => (step.type === 'finish' && usage ? { ...step, usage } : step));
}

function body(steps: readonly Step[]): object {
  const { text, reasoning, calls, reason, usage } = foldSteps(steps);
  const content = [
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
  ];
  const tool_calls = calls.map((call) => callOf(call.id, call.name, call.arguments));
  const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls }) };
  return { id: 'one', finish_reason: reasons[reason], message, ...(usage && usageOf(usage)) };
}

export const cohereScript: ProtocolScript = {
  protocol: 'cohere',
  model: 'cohere/command-a-reasoning-08-2025',
  streamType: 'text/event-stream',
  endsWithFinish: true,
  piecewiseArguments: true,
  stream: (steps) => withBlocks(countedAtEnd(steps)).flatMap(write),
  body,
  errorBody: { id: 'one', message: 'internal server error' },
};
