/** Steps in the OpenAI chat protocol. */
import { type Counts, foldSteps, type ProtocolScript, type Step, sse } from './step.ts';

const reasons = { stop: 'stop', length: 'length', calls: 'tool_calls' } as const;
const error = {
  error: { message: 'The server had an error.', type: 'server_error', param: null, code: null },
};

const usageOf = ({ input, output }: Counts) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
  sse({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'one',
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  });

function write(step: Step): readonly Uint8Array[] {
  switch (step.type) {
    case 'start': {
      const usage = step.usage ? { usage: usageOf(step.usage) } : {};
      return [chunk({ role: 'assistant', content: '' }, null, usage)];
    }
    case 'ping':
      return [Buffer.from(': ping\n\n')];
    case 'text':
      return [chunk({ content: step.text })];
    case 'reasoning':
      return [chunk({ reasoning_content: step.text })];
    case 'call': {
      const { call: index, id, name } = step;
      return [chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })];
    }
    case 'arguments':
      return [chunk({ tool_calls: [{ index: step.call, function: { arguments: step.text } }] })];
    case 'finish':
      return [
        chunk({}, reasons[step.reason]),
        ...(step.usage
          ? [sse({ object: 'chat.completion.chunk', choices: [], usage: usageOf(step.usage) })]
          : []),
      ];
    case 'end':
      return [sse('[DONE]')];
    case 'error':
      return [sse(error)];
    case 'malformed':
      return [sse('{"choices": [{"index": 0, "delta"')];
  }
}

function body(steps: readonly Step[]): object {
  const { text, reasoning, calls, reason, usage } = foldSteps(steps);
  const tool_calls = calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  const message = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls }),
  };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'one',
    choices: [{ index: 0, message, finish_reason: reasons[reason] }],
    ...(usage && { usage: usageOf(usage) }),
  };
}

export const openaiScript: ProtocolScript = {
  protocol: 'openai',
  model: 'openai/gpt-4.1-mini',
  streamType: 'text/event-stream',
  endsWithFinish: true,
  piecewiseArguments: true,
  stream: (steps) => steps.flatMap(write),
  body,
  errorBody: error,
};
