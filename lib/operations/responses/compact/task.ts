/** What a compaction asks of a target: the conversation as it is, or a summary of it. */
import { pipe } from '../../../async/pipe.ts';
import type { Call } from '../../../core/endpoint.ts';
import type { GenerationRequest, Message } from '../../../core/generation/request.ts';
import type { MaxTokens } from '../../../metering/limits/highest-cost.ts';
import { type Compacted, compact } from '../../../pipeline/compact.ts';
import { withoutNative } from '../../../pipeline/generation/native/read-native.ts';
import { observe } from '../../../pipeline/generation/observe.ts';
import type { Asked } from '../../../pipeline/generation/prepare.ts';
import type { RetriableGeneration } from '../../../pipeline/generation/retry-modifiers.ts';
import { generationTask } from '../../../pipeline/generation/task.ts';
import type { ModelTask } from '../../../pipeline/model-task.ts';
import type { PipelineParts } from '../../../pipeline/parts.ts';

export function compactTask(
  parts: PipelineParts,
  asked: Asked,
  call: Call<unknown>,
): ModelTask<RetriableGeneration, Compacted> {
  const { request, changes } = withoutNative(asked.request, 'A compaction takes no fields of the provider.');
  const whole = generationTask(parts, 'responses', { ...asked, request }, call);
  const summary = generationTask(parts, 'responses', { ...asked, request: asSummary(request) }, call);
  return {
    ...summary,
    maxTokens: (target) => atMostItsInput(summary.maxTokens(target)),
    prepareWithin: (granted) => compactTask(parts, { ...asked, granted }, call).prepare,
    prepare(target, primary) {
      const own = whole.prepare(target, primary);
      const prepared = own.generation.compactor ? own : summary.prepare(target, primary);
      return { ...prepared, changes: [...changes, ...prepared.changes] };
    },
    call: (prepared, options) =>
      compact(prepared, options, ({ events }) =>
        pipe(events, observe(prepared.target, parts.health, call, options.attempt)),
      ),
  };
}

/** A provider that compacts by itself takes no limit, but what it makes is shorter than what it was given. */
const atMostItsInput = ({ usualOutput: _, ...max }: MaxTokens): MaxTokens => {
  const output = Math.min(max.output, Math.max(max.input, leastCompaction));
  return { ...max, output, minOutput: output };
};

const leastCompaction = 4_096;

const instruction = [
  'The conversation above is about to be cut off. Write the summary with which somebody else can continue it without a loss:',
  'what was asked for, what was decided and why, what was done, found out and changed (with names, paths, numbers and quotes',
  'that matter), what is still open, and the next step. Write only the summary.',
].join(' ');

/** The tools stay declared, because the conversation may hold calls of them, but none may be called. */
function asSummary(request: GenerationRequest): GenerationRequest {
  const { webSearch: _, ...rest } = request;
  const { response_format: __, tool_choice: ___, ...parameters } = request.parameters;
  const ask: Message = { role: 'user', content: [{ type: 'text', text: instruction }] };
  return {
    ...rest,
    messages: [...request.messages, ask],
    parameters: { ...parameters, ...(request.tools.length > 0 && { tool_choice: 'none' as const }) },
    stream: false,
  };
}
