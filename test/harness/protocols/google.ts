/** Steps in the Gemini protocol: each frame of a stream is a body with only its new parts. */
import { argumentsOf, type Counts, foldSteps, type ProtocolScript, type Step, sse } from './step.ts';

const reasons = { stop: 'STOP', length: 'MAX_TOKENS', calls: 'STOP' } as const;
const error = { error: { code: 500, message: 'An internal error has occurred.', status: 'INTERNAL' } };

const usageOf = ({ input, output }: Counts) => ({
  usageMetadata: {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: input + output,
  },
});

const answer = (parts: readonly object[], finishReason?: string, more: object = {}) => ({
  candidates: [
    { content: { role: 'model', parts }, index: 0, ...(finishReason !== undefined && { finishReason }) },
  ],
  ...more,
});

const callPart = (name: string, text: string) => ({ functionCall: { name, args: JSON.parse(text) } });

function write(step: Step, steps: readonly Step[]): readonly Uint8Array[] {
  switch (step.type) {
    case 'start':
      return step.usage ? [sse(answer([{ text: '' }], undefined, usageOf(step.usage)))] : [];
    case 'ping':
      return [Buffer.from(': ping\n\n')];
    case 'text':
      return [sse(answer([{ text: step.text }]))];
    case 'reasoning':
      return [sse(answer([{ text: step.text, thought: true }]))];
    case 'call':
      return [sse(answer([callPart(step.name, argumentsOf(steps, step.call))]))];
    case 'finish':
      return [sse(answer([{ text: '' }], reasons[step.reason], step.usage ? usageOf(step.usage) : {}))];
    case 'error':
      return [sse(error)];
    case 'malformed':
      return [sse('{"candidates": [{"content"')];
    default:
      return [];
  }
}

function body(steps: readonly Step[]): object {
  const { text, reasoning, calls, reason, usage } = foldSteps(steps);
  const parts = [
    ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
    ...(text === '' ? [] : [{ text }]),
    ...calls.map((call) => callPart(call.name, call.arguments)),
  ];
  return answer(parts, reasons[reason], usage ? usageOf(usage) : {});
}

export const googleScript: ProtocolScript = {
  protocol: 'google',
  model: 'google/gemini-2.5-flash-lite',
  streamType: 'text/event-stream',
  endsWithFinish: true,
  piecewiseArguments: false,
  stream: (steps) => steps.flatMap((step) => write(step, steps)),
  body,
  errorBody: error,
};
