/** Adds up sums of hours or days by group: over the span, over the span before it, and for each slot of a chart. */
import { addTo, type Numbers } from '../../core/accounting/sums.ts';
import type { PeriodSum } from './read-sums.ts';
import { chargeIn, requestsIn } from './write-figures.ts';

export interface Added {
  readonly id: string | null;
  readonly now: Numbers;
  readonly before: Numbers;
  /** By slot. */
  readonly slots: readonly Numbers[];
}

export interface Slots {
  /** The slot of a period, by its name. */
  readonly indexOf: ReadonlyMap<string, number>;
  readonly count: number;
}

interface Sum {
  readonly now: Record<string, number>;
  readonly before: Record<string, number>;
  readonly slots: Record<string, number>[];
}

/** What is in no slot is of the span before. */
export function addUp<Row extends PeriodSum>(
  rows: readonly Row[],
  idOf: (row: Row) => string | null,
  { indexOf, count }: Slots,
): readonly Added[] {
  const sums = new Map<string | null, Sum>();
  for (const row of rows) {
    const id = idOf(row);
    const sum = sums.get(id) ?? { now: {}, before: {}, slots: Array.from({ length: count }, () => ({})) };
    sums.set(id, sum);
    const slot = sum.slots[indexOf.get(row.period) ?? -1];
    addTo(slot ? sum.now : sum.before, row.numbers);
    if (slot) addTo(slot, row.numbers);
  }
  return [...sums].map(([id, sum]) => ({ id, ...sum }));
}

export const nothing = (slots: Slots): Added => ({
  id: null,
  now: {},
  before: {},
  slots: Array.from({ length: slots.count }, () => ({})),
});

/** The most expensive first, then those with most requests, then by name. */
export const byCharge = (one: Added, other: Added): number =>
  chargeIn(other.now) - chargeIn(one.now) ||
  requestsIn(other.now) - requestsIn(one.now) ||
  requestsIn(other.before) - requestsIn(one.before) ||
  String(one.id).localeCompare(String(other.id));

/** What is left of a total without some of its groups; never below zero, as sums are read one after the other. */
export function without(total: Added, groups: readonly Added[]): Added {
  const rest = (whole: Numbers, parts: readonly Numbers[]) => {
    const left: Record<string, number> = { ...whole };
    for (const part of parts)
      for (const [name, value] of Object.entries(part)) left[name] = Math.max(0, (left[name] ?? 0) - value);
    return left;
  };
  return {
    id: null,
    now: rest(
      total.now,
      groups.map(({ now }) => now),
    ),
    before: rest(
      total.before,
      groups.map(({ before }) => before),
    ),
    slots: total.slots.map((slot, index) =>
      rest(
        slot,
        groups.map(({ slots }) => slots[index] ?? {}),
      ),
    ),
  };
}
