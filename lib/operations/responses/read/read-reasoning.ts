/** Reads the reasoning items of one turn as reasoning that is sent back to the model. */

import { openaiFormat } from '../../../core/generation/reasoning-format.ts';
import type { AssistantMessage, ReasoningDetail } from '../../../core/generation/request.ts';
import { decodeReasoning } from '../write/encrypted-content.ts';
import type { ReasoningInput } from './item.ts';

/** `items`: those of the turn, at their positions; undefined for items of other types. */
export function readReasoning(
  items: readonly (ReasoningInput | undefined)[],
): Pick<AssistantMessage, 'reasoning' | 'reasoningDetails'> {
  const reasoningDetails: ReasoningDetail[] = [];
  for (const [position, item] of items.entries()) {
    const details = item ? detailsOf(item, reasoningDetails.length) : [];
    reasoningDetails.push(...details.map((detail) => ({ ...detail, position })));
  }
  if (reasoningDetails.length > 0) return { reasoningDetails };
  const reasoning = items.flatMap((item) => (item ? textsOf(item) : [])).join('\n\n');
  return { reasoningDetails, ...(reasoning !== '' && { reasoning }) };
}

/** What the gateway did not seal is taken as OpenAI's own: its whole item goes back, if anywhere, to OpenAI. */
function detailsOf(item: ReasoningInput, index: number): readonly ReasoningDetail[] {
  const { id, summary, encrypted_content: data } = item;
  if (data === undefined) return [];
  const encoded = decodeReasoning(data);
  if (encoded) return encoded;
  const base = { format: openaiFormat, ...(id !== undefined && { id }) };
  return [
    ...summary.map(({ text }, position) => {
      return { ...base, type: 'reasoning.summary' as const, summary: text, index: index + position };
    }),
    { ...base, type: 'reasoning.encrypted', data, index: index + summary.length },
  ];
}

/** The readable part of an item: its summary, or the reasoning itself of open models. */
function textsOf({ summary, content = [] }: ReasoningInput): readonly string[] {
  return (summary.length > 0 ? summary : content).map(({ text }) => text).filter((text) => text !== '');
}
