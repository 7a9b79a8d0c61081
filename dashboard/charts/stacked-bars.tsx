/** Amounts over time by group, as stacked bars: one for each hour or day. */
import { useState } from 'preact/hooks';
import { axisTo } from './axis.ts';
import { ChartFigure } from './chart-figure.tsx';
import { Legend } from './legend.tsx';
import { gapsOf, stackPaths } from './paths.ts';
import { colourOf, type Series, sumOfSeries, totalOf } from './series.ts';
import { slotWords } from './slot-words.ts';
import { TimePlot, type TimePlotProps } from './time-plot.tsx';

export interface StackedSeries extends Series {
  /** A view of this group alone. */
  readonly href?: string | undefined;
}

interface StackedBarsProps extends Pick<TimePlotProps, 'title' | 'times' | 'grain' | 'onPick'> {
  /** At most eight, and the others as the last. */
  readonly series: readonly StackedSeries[];
  /** The smallest step of the axis. */
  readonly smallest?: number;
  /** A value on the axis, at a glance, and in full. */
  readonly round: (value: number) => string;
  readonly glance: (value: number) => string;
  readonly exact: (value: number) => string;
  /** What is not known of a slot, or of all (null), in words. */
  readonly note?: (slot: number | null) => string | undefined;
  readonly tools?: preact.ComponentChildren;
}

export function StackedBars(props: StackedBarsProps) {
  const { title, times, grain, series, smallest, round, glance, exact, note, onPick, tools } = props;
  const [marked, setMarked] = useState<number | null>(null);
  const sums = sumOfSeries(series);
  const axis = axisTo(Math.max(0, ...sums.map((sum) => sum ?? 0)), 4, smallest);
  const gaps = gapsOf(sums);
  const text = (value: number | null | undefined) =>
    value === null || value === undefined ? 'no data' : exact(value);
  /** In full at the marked slot, at a glance in total. */
  const shown = (values: Series['values']) =>
    marked === null ? glance(totalOf(values)) : text(values[marked]);
  const words = (slot: number) =>
    [
      `${slotWords(times[slot] ?? 0, grain)}: ${text(sums[slot])}`,
      ...series.flatMap(({ name, values }) => (values[slot] ? [`${name} ${exact(values[slot])}`] : [])),
      ...[note?.(slot) ?? []].flat(),
    ].join('; ');
  const columns = [grain === 'day' ? 'Day (UTC)' : 'Hour (UTC)', 'Total', ...series.map(({ name }) => name)];
  const rows = times.map((time, slot) => [
    slotWords(time, grain),
    text(sums[slot]),
    ...series.map(({ values }) => text(values[slot])),
  ]);
  return (
    <ChartFigure title={title} table={{ columns, rows }} tools={tools}>
      <TimePlot
        {...{ title, times, grain, axis, gaps, marked, words, onPick }}
        format={round}
        onMark={setMarked}
        description={`Bars for each ${grain}, by group. In total ${exact(totalOf(sums))}.`}
        draw={(frame) =>
          stackPaths(series, frame, axis).map((path, position) => (
            <path key={series[position]?.id} class={`bar ${colourOf(position)}`} d={path} />
          ))
        }
      />
      <Legend
        when={marked === null ? 'In total' : slotWords(times[marked] ?? 0, grain)}
        total={shown(sums)}
        note={note?.(marked)}
        entries={series.map(({ id, name, href, values }) => ({
          ...{ id, name, href, value: shown(values) },
          exact: exact(totalOf(values)),
        }))}
      />
    </ChartFigure>
  );
}
