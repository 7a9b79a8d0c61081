/**
 * A model's reasoning on its way back to the host that told it: the field, the list of details, or the head of the
 * content, as the host's dialect says. Details of other hosts were taken away by the rules.
 */
import type { AssistantMessage, JsonObject, ReasoningDetail } from '../../core/generation/request.ts';
import type { Dialect } from './dialect.ts';

interface Replayed {
  /** What stands before the content. */
  readonly head: string;
  readonly fields: JsonObject;
}

const nothing: Replayed = { head: '', fields: {} };

export function encodeReplay(
  { reasoning, reasoningDetails, toolCalls }: AssistantMessage,
  { replay }: Dialect,
): Replayed {
  if (replay === undefined) return nothing;
  if (replay.field === 'reasoning_details' && reasoningDetails.length > 0) {
    return { head: '', fields: { reasoning_details: reasoningDetails.map((detail) => ({ ...detail })) } };
  }
  const text = reasoning ?? reasoningDetails.map(textOf).join('');
  // Hosts that ask their reasoning back ask it of every call, also of one that another model made.
  const isAsked = replay.field === 'reasoning_content' && toolCalls.length > 0;
  if (text === '' && !isAsked) return nothing;
  if (replay.field === 'think') return { head: `<think>${text}</think>`, fields: {} };
  // Some clients keep only the readable text; a router takes that, too.
  const field = replay.field === 'reasoning_details' ? 'reasoning' : replay.field;
  return { head: '', fields: { [field]: text } };
}

function textOf(detail: ReasoningDetail): string {
  return detail.type === 'reasoning.text' ? detail.text : '';
}
