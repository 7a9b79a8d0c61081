/**
 * A model's reasoning on its way back to its host: in a field, in the list of details, or at the start of the content, as the
 * host's dialect says. The rules have removed details of other hosts.
 */
import type { AssistantMessage, JsonObject, ReasoningDetail } from '../../core/generation/request.ts';
import type { Dialect } from './dialect.ts';

interface Replayed {
  /** What comes before the content. */
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
    return {
      head: '',
      fields: { reasoning_details: reasoningDetails.map(({ position: _, model: __, ...detail }) => detail) },
    };
  }
  const text = reasoning ?? reasoningDetails.map(textOf).join('');
  // Hosts that require reasoning to be sent back require it for every call, also of other models.
  const isAsked = replay.field === 'reasoning_content' && toolCalls.length > 0;
  if (text === '' && !isAsked) return nothing;
  if (replay.field === 'think') return { head: `<think>${text}</think>`, fields: {} };
  // Some clients keep only the readable text, which a router accepts too.
  const field = replay.field === 'reasoning_details' ? 'reasoning' : replay.field;
  return { head: '', fields: { [field]: text } };
}

function textOf(detail: ReasoningDetail): string {
  return detail.type === 'reasoning.text' ? detail.text : '';
}
