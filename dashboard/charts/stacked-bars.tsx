/** Amounts over time by group, as stacked bars: one for each hour or day. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RowLink } from '../components/table/column.ts';
import type { Amount } from '../format/money.ts';
import { axisTo } from './axis.ts';
import { ChartFigure } from './chart-figure.tsx';
import { Legend } from './legend.tsx';
import { stackPaths } from './paths.ts';
import { colourOf, type Series, sumOfSeries } from './series.ts';
import { slotWords } from './slot-words.ts';
import { TimePlot, type TimePlotProps } from './time-plot.tsx';

export interface StackedSeries extends Series {
  /** A view of this group alone. */
  readonly link?: RowLink | undefined;
  /** In words, of a slot or of all of them (null). */
  readonly amount: (slot: number | null) => Amount;
}

interface StackedBarsProps extends Pick<TimePlotProps, 'title' | 'times' | 'grain' | 'gaps' | 'onPick'> {
  /** At most eight, and the others as the last. */
  readonly series: readonly StackedSeries[];
  /** Of all groups together. */
  readonly total: StackedSeries['amount'];
  /** A number of the axis. */
  readonly tick: (value: number) => string;
  /** The smallest step of the axis. */
  readonly smallest?: number | undefined;
  readonly tools?: ComponentChildren;
}

export function StackedBars({ series, total, tick, smallest, tools, ...plot }: StackedBarsProps) {
  const { title, times, grain, gaps } = plot;
  const [marked, setMarked] = useState<number | null>(null);
  const sums = sumOfSeries(series);
  const axis = axisTo(Math.max(0, ...sums.map((sum) => sum ?? 0)), 4, smallest);
  const hasData = (slot: number) => !gaps.some(([from, to]) => slot >= from && slot < to);
  const text = (amount: StackedSeries['amount']) => (slot: number) =>
    hasData(slot) ? amount(slot).exact : 'no data';
  const words = (slot: number) => {
    const parts = series
      .filter(({ values }) => values[slot] !== 0)
      .map((one) => `${one.name} ${text(one.amount)(slot)}`);
    const all = `${slotWords(times[slot] ?? 0, grain)}: ${text(total)(slot)}`;
    return [all, ...(hasData(slot) ? [...parts, total(slot).note ?? []].flat() : [])].join('; ');
  };
  const columns = [
    { name: 'total', title: 'Total', value: (slot: number) => sums[slot] ?? null, text: text(total) },
    ...series.map(({ id, name, values, amount }) => ({
      name: `group ${id}`,
      title: name,
      value: (slot: number) => values[slot] ?? null,
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
        draw={(frame) =>
          stackPaths(series, frame, axis).map((path, position) => (
            <path key={series[position]?.id} class={`bar ${colourOf(position)}`} d={path} />
          ))
        }
      />
      <Legend
        when={marked === null ? 'In total' : slotWords(times[marked] ?? 0, grain)}
        isExact={marked !== null}
        total={marked !== null && !hasData(marked) ? { text: 'no data', exact: 'no data' } : total(marked)}
        entries={series.map(({ id, name, link, amount }) => ({ id, name, link, amount: amount(marked) }))}
      />
    </ChartFigure>
  );
}
