/**
 * Reasoning of an answer: summaries or, for open models, the reasoning itself, and the encrypted content that is sent back. All
 * details of one item have its id and its index, so that the item can be restored from them.
 */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import { asIndex, asOptionalText, asText } from '../json.ts';
import { type Answer, type Events, entryOf, nextIndex, restOf } from './answer.ts';
import type * as wire from './wire.ts';

interface Part {
  readonly kind: Kind;
  text: string;
  isComplete: boolean;
}

type Kind = 'summary' | 'text';

export interface ReasoningItem {
  readonly type: 'reasoning';
  readonly id: string | undefined;
  readonly parts: Map<string, Part>;
  /** Those that are not complete. */
  readonly open: Set<Part>;
  /** Its index in the answer, from its first detail on. */
  index: number | undefined;
}

/** The first id is used: some hosts change it from event to event. */
export function newReasoning({ id }: wire.Item): ReasoningItem {
  return { type: 'reasoning', id: asOptionalText(id), parts: new Map(), open: new Set(), index: undefined };
}

export function onReasoningDelta(answer: Answer, item: ReasoningItem, kind: Kind, event: wire.Event): Events {
  const part = partOf(item, kind, event);
  // A new part ends the previous ones, so that their texts are not joined.
  return [...endParts(answer, item, part), ...emit(part, asText(event.delta))];
}

/** A complete part, at its end. */
export function onReasoningPart(answer: Answer, item: ReasoningItem, kind: Kind, event: wire.Event): Events {
  const part = partOf(item, kind, event);
  if (part.isComplete) return [];
  const before = endParts(answer, item, part);
  const rest = emit(part, restOf(part.text, asText(event.text)));
  return [...before, ...rest, ...endPart(answer, item, part)];
}

export function closeReasoning(answer: Answer, item: ReasoningItem, source: wire.Item): Events {
  const whole = (kind: Kind, parts: unknown): Events =>
    asArray(parts).flatMap((part, index) => {
      const event = { ...asObject<wire.ReasoningPart>(part), summary_index: index, content_index: index };
      return onReasoningPart(answer, item, kind, event);
    });
  return [
    ...whole('summary', source.summary),
    ...whole('text', source.content),
    ...endParts(answer, item),
    ...emitEncrypted(answer, item, asText(source.encrypted_content)),
  ];
}

function partOf({ parts, open }: ReasoningItem, kind: Kind, event: wire.Event): Part {
  const index = asIndex(kind === 'summary' ? event.summary_index : event.content_index, 0);
  return entryOf(parts, `${kind} ${index}`, () => {
    const part = { kind, text: '', isComplete: false };
    open.add(part);
    return part;
  });
}

function emit(part: Part, text: string): Events {
  if (text === '') return [];
  part.text += text;
  return [{ type: 'reasoning', choice: 0, text }];
}

function endParts(answer: Answer, item: ReasoningItem, but?: Part): Events {
  const others = [...item.open].filter((part) => part !== but);
  return others.flatMap((part) => endPart(answer, item, part));
}

function endPart(answer: Answer, item: ReasoningItem, part: Part): Events {
  part.isComplete = true;
  item.open.delete(part);
  const { kind, text } = part;
  const base = baseOf(answer, item);
  const detail =
    kind === 'summary'
      ? ({ type: 'reasoning.summary', summary: text, ...base } as const)
      : ({ type: 'reasoning.text', text, ...base } as const);
  return [{ type: 'reasoning-detail', choice: 0, detail }];
}

function emitEncrypted(answer: Answer, item: ReasoningItem, data: string): Events {
  if (data === '') return [];
  const detail = { type: 'reasoning.encrypted', data, ...baseOf(answer, item) } as const;
  return [{ type: 'reasoning-detail', choice: 0, detail }];
}

function baseOf(answer: Answer, item: ReasoningItem) {
  if (item.index === undefined) {
    item.index = nextIndex(answer);
    answer.thoughts += 1;
  }
  return {
    format: answer.format,
    index: item.index,
    ...(item.id !== undefined && { id: item.id }),
  };
}
