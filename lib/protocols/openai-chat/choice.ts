/** One choice of an answer while it is decoded: what is known of it, and how it has finished. */
import type { FinishReason } from '../../core/generation/events.ts';
import { upstreamError } from '../failure.ts';
import { asOptionalText, lookUp } from '../json.ts';
import type { Dialect } from './dialect.ts';
import { type Details, newDetails } from './reasoning-details.ts';
import { newThinkState, type ThinkState } from './think-tags.ts';
import { type Calls, newCalls } from './tool-calls.ts';
import type * as wire from './wire.ts';

export interface Choice {
  readonly index: number;
  readonly calls: Calls;
  readonly details: Details;
  readonly dialect: Dialect;
  readonly think: ThinkState | undefined;
  /** The number of characters of text so far. */
  written: number;
  isAnnotated: boolean;
  /** The finish reason of the protocol. An empty one ends a choice only together with the end of the stream. */
  reason: string | undefined;
  /** The text at which the model stopped: `stop_reason` of vLLM (its pull request 2976), `matched_stop` of SGLang. */
  stopSequence: string | undefined;
}

export const newChoice = (index: number, dialect: Dialect): Choice => ({
  index,
  dialect,
  calls: newCalls(),
  details: newDetails(),
  think: dialect.readsThinkTags ? newThinkState() : undefined,
  written: 0,
  isAnnotated: false,
  reason: undefined,
  stopSequence: undefined,
});

const failedReasons = ['error', 'insufficient_system_resource', 'network_error'];

/** Stores the reason until the end: hosts repeat it, and send more content, usage or an error after it. */
export function onFinish(
  choice: Choice,
  { finish_reason: reason, stop_reason, matched_stop }: wire.Choice,
): void {
  if (typeof reason !== 'string') return;
  choice.stopSequence ??= asOptionalText(stop_reason) ?? asOptionalText(matched_stop);
  if (failedReasons.includes(reason)) throw upstreamError('upstream_failed');
  choice.reason = choice.reason || reason;
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  length: 'length',
  model_length: 'length',
  max_tokens: 'length',
  content_filter: 'content_filter',
  sensitive: 'content_filter',
};

/** Those that hosts have for an end by the model itself. */
const plainReasons = ['stop', 'tool_calls', 'function_call', 'eos', 'eos_token', 'stop_sequence', 'end_turn'];

/** Any other reason is a plain stop. The calls decide whether it becomes `tool_calls`. */
export function toFinish({ reason = '', calls }: Choice): {
  readonly reason: FinishReason;
  readonly isUnclear?: true;
} {
  const known = lookUp(finishReasons, reason);
  if (known) return { reason: known };
  const plain = calls.list.length > 0 ? 'tool_calls' : 'stop';
  return { reason: plain, ...(!plainReasons.includes(reason) && { isUnclear: true }) };
}
