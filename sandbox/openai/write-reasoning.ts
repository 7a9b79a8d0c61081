/** Reasoning as compatible hosts show it: each in its own field of the message. */
import type { ReasoningField } from '../../lib/providers/hosts/host.ts';
import type { Answer } from '../exchange.ts';
import { piecesOf } from '../script.ts';

/** The part of a whole message that holds the reasoning. */
export function wholeReasoning(
  { reasoning, text, calls }: Answer,
  field: ReasoningField | undefined,
): object {
  if (field === undefined || reasoning === '') return {};
  const answered = calls.length > 0 ? '' : text;
  switch (field) {
    case 'tags':
      return { content: `${tagged(reasoning)}${answered}` };
    case 'parts':
      return { content: [thinkingPart(reasoning), { type: 'text', text: answered }] };
    case 'details':
      return { reasoning, reasoning_details: [detail(reasoning)] };
    default:
      return { [field]: reasoning };
  }
}

/** The deltas of the reasoning, before those of the text. */
export function reasoningDeltas({ reasoning }: Answer, field: ReasoningField | undefined): readonly object[] {
  if (field === undefined || reasoning === '') return [];
  switch (field) {
    case 'tags':
      // Tokens do not care for tags: both are cut in the middle.
      return tagged(reasoning)
        .split(/(?<=<\/?thi)/)
        .flatMap((part) => piecesOf(part))
        .map((content) => ({ content }));
    case 'parts':
      return piecesOf(reasoning).map((text) => ({ content: [thinkingPart(text)] }));
    case 'details':
      return piecesOf(reasoning).map((text) => ({ reasoning: text, reasoning_details: [detail(text)] }));
    default:
      return piecesOf(reasoning).map((text) => ({ [field]: text }));
  }
}

const tagged = (reasoning: string): string => `<think>${reasoning}</think>\n\n`;

const thinkingPart = (text: string): object => ({ type: 'thinking', thinking: [{ type: 'text', text }] });

const detail = (text: string): object => ({ type: 'reasoning.text', text, format: 'unknown', index: 0 });
