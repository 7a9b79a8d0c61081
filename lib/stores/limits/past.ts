/**
 * What a pool still holds for requests of earlier days, as one short attribute: each write is charged for the whole item, and these
 * counts change around midnight only.
 */
import type { PastCounter } from './counts.ts';

export const pastAttribute = 'past';

/** Each day that begins adds the counts of the day before, until nothing is held any more. */
export interface Past extends Readonly<Record<PastCounter, number>> {
  /** The first day that it counts, since 1970. */
  readonly pastFrom: number;
  /** What was admitted until this minute and is not released was freed. 0: nothing was. */
  readonly freedUntil: number;
}

const order = [
  'pastFrom',
  'pastHeld',
  'pastHeldNoCredit',
  'pastHeldRunning',
  'pastReleases',
  'freedUntil',
] as const satisfies readonly (keyof Past)[];

/** `day`: the day of the pool. */
export function readPast(text: unknown, day: number): Past {
  const parts = typeof text === 'string' ? text.split(' ').map((part) => Number.parseInt(part, 36)) : [];
  const of = (name: (typeof order)[number], fallback = 0) => parts[order.indexOf(name)] ?? fallback;
  return {
    pastFrom: of('pastFrom', day),
    pastHeld: of('pastHeld'),
    pastHeldNoCredit: of('pastHeldNoCredit'),
    pastHeldRunning: of('pastHeldRunning'),
    pastReleases: of('pastReleases'),
    freedUntil: of('freedUntil'),
  };
}

export const pastText = (past: Past): string => order.map((name) => past[name].toString(36)).join(' ');

/** Whether there is nothing to keep. */
export const isEmpty = (past: Past): boolean =>
  order.every((name) => name === 'pastFrom' || past[name] === 0);
