/** The text, the refusal and the reasoning of a choice, as events: whole parts, pieces, and thoughts between tags. */
import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import { asText } from '../json.ts';
import type { Choice } from './choice.ts';
import { addDetails, onDetailsEnd } from './reasoning-details.ts';
import { endThought, splitThought, type Thought } from './think-tags.ts';
import type * as wire from './wire.ts';

/** The functions below append their events to this list. */
export type Events = GenerationEvent[];

export function onText(choice: Choice, { content, refusal }: wire.Delta, events: Events): void {
  if (Array.isArray(content)) for (const part of content) onPart(choice, asObject<wire.Part>(part), events);
  else onPiece(choice, asText(content), events);
  const refused = asText(refusal);
  if (refused !== '') events.push({ type: 'refusal', choice: choice.index, text: refused });
}

function onPart(choice: Choice, part: wire.Part, events: Events): void {
  if (part.type === 'thinking') onReasoningText(choice, readThinking(part.thinking), events);
  else if (part.type === 'text') onPiece(choice, asText(part.text), events);
}

function onPiece(choice: Choice, text: string, events: Events): void {
  if (text === '') return;
  if (!choice.think) onThought(choice, { type: 'text', text }, events);
  else for (const thought of splitThought(choice.think, text)) onThought(choice, thought, events);
}

function onThought(choice: Choice, { type, text }: Thought, events: Events): void {
  if (type === 'reasoning') {
    onReasoningText(choice, text, events);
    return;
  }
  onDetailsEnd(choice.index, choice.details, events);
  choice.written += text.length;
  events.push({ type: 'text', choice: choice.index, text });
}

/** Emits text that was held back, and the reasoning details so far. */
export function onThoughtEnd(choice: Choice, events: Events): void {
  if (choice.think) for (const thought of endThought(choice.think)) onThought(choice, thought, events);
  onDetailsEnd(choice.index, choice.details, events);
}

export function onReasoning(choice: Choice, delta: wire.Delta, events: Events): void {
  const detailed = addDetails(choice.details, delta.reasoning_details);
  // A host that sends its reasoning in two fields sends the same text.
  onReasoningText(choice, asText(delta.reasoning_content) || asText(delta.reasoning) || detailed, events);
}

function onReasoningText(
  { index, details, dialect: { replay } }: Choice,
  text: string,
  events: Events,
): void {
  if (text === '') return;
  // For a host that takes reasoning back as plain text, the text becomes one detail.
  if (replay !== undefined && replay.field !== 'reasoning_details') {
    addDetails(details, [{ type: 'reasoning.text', text, format: replay.formats[0] }]);
  }
  events.push({ type: 'reasoning', choice: index, text });
}

/** Mistral: a list of texts. */
function readThinking(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking;
  return asArray(thinking)
    .map((part) => asText(asObject<wire.Part>(part).text))
    .join('');
}
