/** Why a message ended, as Anthropic says it. */
import type { GenerationEvent } from '../../../core/generation/events.ts';

export type Finish = Extract<GenerationEvent, { readonly type: 'finish' }>;

interface Ended {
  readonly finish: Finish;
  /** The texts at which the caller wants the model to stop: hosts report others, too, such as the model's own end. */
  readonly stopSequences: readonly string[];
  /** The number of calls. */
  readonly calls: number;
  /** Whether each has its whole input. */
  readonly areCallsWhole: boolean;
  /** Why the model refused; empty: it did not. */
  readonly refusal: string;
}

/** The `delta` of `message_delta`. Calls are to be made whatever the provider says of its end: it often says `stop`. */
export function writeStop({ finish, stopSequences, calls, areCallsWhole, refusal }: Ended): object {
  const { reason, stopSequence, isContextFull } = finish;
  if (reason === 'content_filter') return refused(refusal);
  if (calls > 0 && areCallsWhole) return stopped('tool_use');
  if (refusal !== '') return refused(refusal);
  if (reason === 'length') return stopped(isContextFull ? 'model_context_window_exceeded' : 'max_tokens');
  if (stopSequence === undefined || !stopSequences.includes(stopSequence)) return stopped('end_turn');
  return { ...stopped('stop_sequence'), stop_sequence: stopSequence };
}

const stopped = (stop_reason: string) => ({
  stop_reason,
  stop_sequence: null,
  stop_details: null,
  container: null,
});

const refused = (explanation: string) => ({
  ...stopped('refusal'),
  stop_details: { type: 'refusal', category: null, explanation: explanation === '' ? null : explanation },
});
