/** Amounts over time by group, as stacked bars: one for each hour or day. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RowLink } from '../components/table/column.ts';
import type { Amount } from '../format/money.ts';
import { ChartFigure } from './chart-figure.tsx';
import { axisTo } from './frame.ts';
import { Legend } from './legend.tsx';
import { stackPaths } from './paths.ts';
import { colourOf, noData, type Series, sumOfSeries } from './series.ts';
import { TimePlot, type TimePlotProps } from './time-plot.tsx';
import { slotWords } from './time-ticks.ts';

export interface StackedSeries extends Series {
  /** A view of this group alone. */
  readonly link?: RowLink | undefined;
  /** In words, of a slot or of all of them (null); `noData` where there is none. */
  readonly amount: (slot: number | null) => Amount;
}

interface StackedBarsProps extends Pick<TimePlotProps, 'title' | 'times' | 'grain' | 'gaps' | 'onPick'> {
  /** At most eight, and the others as the last. */
  readonly series: readonly StackedSeries[];
  /** Of all groups together. */
  readonly total: StackedSeries['amount'];
  /** A number of the axis. */
  readonly tick: (value: number) => string;
  /** A value as it is saved. */
  readonly saved?: ((value: number | null) => number | null) | undefined;
  /** The smallest step of the axis. */
  readonly smallest?: number | undefined;
  /** The height of the axis where there is nothing. */
  readonly emptyMax?: number | undefined;
  readonly tools?: ComponentChildren;
}

export function StackedBars({
  series,
  total,
  tick,
  saved = asItIs,
  smallest,
  emptyMax = 1,
  tools,
  ...plot
}: StackedBarsProps) {
  const { title, times, grain } = plot;
  const [marked, setMarked] = useState<number | null>(null);
  const sums = sumOfSeries(series);
  const axis = axisTo(Math.max(0, ...sums.map((sum) => sum ?? 0)) || emptyMax, 4, smallest);
  const text = (amount: StackedSeries['amount']) => (slot: number) => amount(slot).exact;
  const words = (slot: number) => {
    const { exact, note } = total(slot);
    const parts = series.filter(({ values }) => values[slot] !== 0 && total(slot) !== noData);
    return [
      `${slotWords(times[slot] ?? 0, grain)}: ${exact}`,
      ...parts.map((part) => `${part.name} ${part.amount(slot).exact}`),
      ...(note ? [note] : []),
    ].join('; ');
  };
  const columns = [
    { name: 'total', title: 'Total', value: (slot: number) => saved(sums[slot] ?? null), text: text(total) },
    ...series.map(({ id, name, values, amount }) => ({
      name: `group ${id}`,
      title: name,
      value: (slot: number) => saved(values[slot] ?? null),
      text: text(amount),
    })),
  ];
  return (
    <ChartFigure {...{ title, times, grain, columns, tools }}>
      <TimePlot
        {...plot}
        {...{ axis, marked, words }}
        format={tick}
        onMark={setMarked}
        description={`Bars for each ${grain}, by group. In total ${total(null).exact}.`}
        shapes={(frame) =>
          stackPaths(series, frame, axis).map((path, position) => (
            <path key={series[position]?.id} class={`stack-bar ${colourOf(position)}`} d={path} />
          ))
        }
      />
      <Legend
        when={marked === null ? 'In total' : slotWords(times[marked] ?? 0, grain)}
        isExact={marked !== null}
        total={total(marked)}
        entries={series.map(({ id, name, link, amount }) => ({ id, name, link, amount: amount(marked) }))}
      />
    </ChartFigure>
  );
}

const asItIs = (value: number | null) => value;
