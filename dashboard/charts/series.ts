/** Values over time by group. */
import type { Amount } from '../format/money.ts';

export interface Series {
  readonly id: string;
  readonly name: string;
  /** One for each slot of time; null where there is no data, which is not 0. */
  readonly values: readonly (number | null)[];
}

/** Of a time that is not kept, or still to come. */
export const noData: Amount = { text: 'no data', exact: 'no data' };

/** So many have a colour of their own. */
const maxColours = 8;

/** The style with the colour of a group, by its position; all further groups, as one, have a grey. */
export const colourOf = (position: number): Readonly<Record<'--series', string>> => ({
  '--series': `var(--series-${position < maxColours ? position + 1 : 'other'})`,
});

/** Slot by slot; null where none of them has data. */
export function sumOfSeries(series: readonly Series[]): readonly (number | null)[] {
  const slots = Math.max(0, ...series.map(({ values }) => values.length));
  return Array.from({ length: slots }, (_, slot) =>
    series.reduce<number | null>((sum, { values }) => {
      const value = values[slot] ?? null;
      return value === null ? sum : (sum ?? 0) + value;
    }, null),
  );
}
