/** The state that the items of one Responses answer share, and how text is handled that arrives in pieces and again as a whole. */
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { ReasoningFormat } from '../../core/generation/request.ts';

export type Events = readonly GenerationEvent[];

/** The state of an answer while it is decoded. */
export interface Answer {
  readonly format: ReasoningFormat;
  calls: number;
  searches: number;
  /** Items that only this protocol has. */
  protocolItems: number;
  /** See `ResponsesDialect`. */
  readonly hasCustomTools: boolean;
  /** The number of reasoning items with details. */
  thoughts: number;
  /** The number of characters of text. */
  written: number;
}

/** The index of a piece among those that the caller of chat sends back: all texts are one piece, and searches are none. */
export function nextIndex({ calls, thoughts, written }: Answer): number {
  return calls + thoughts + (written > 0 ? 1 : 0);
}

/** The part of a complete text that was not emitted yet. Nothing if the text differs from what was emitted. */
export function restOf(emitted: string, whole: string): string {
  // First by the lengths: comparing costs time.
  return whole.length > emitted.length && whole.startsWith(emitted) ? whole.slice(emitted.length) : '';
}

/** The entry of a map; created if it does not exist. */
export function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
