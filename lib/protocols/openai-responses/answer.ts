/** What the items of one answer of the Responses wire share, and how a text is told that comes in pieces and again whole. */
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { ReasoningFormat } from '../../core/generation/request.ts';

export type Events = readonly GenerationEvent[];

/** An answer as far as it was told. */
export interface Answer {
  readonly format: ReasoningFormat;
  calls: number;
  searches: number;
  /** Items of reasoning that have details. */
  thoughts: number;
  /** Characters of text. */
  written: number;
}

/** Where a piece stands among what the caller sends back: the texts of an answer come back as one piece. */
export function placeOfNext({ calls, searches, thoughts, written }: Answer): number {
  return calls + searches + thoughts + (written > 0 ? 1 : 0);
}

/** What is still to be told of a text that has now come whole. One that is not what was told before has nothing to add. */
export function restOf(told: string, whole: string): string {
  return whole.startsWith(told) ? whole.slice(told.length) : '';
}

/** The entry of a map, made where there is none. */
export function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
