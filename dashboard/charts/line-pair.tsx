/** Two lines over time of which the second is never lower, such as the median and the 95th percentile; the area between is shaded. */
import { useState } from 'preact/hooks';
import { axisTo } from './axis.ts';
import { ChartFigure } from './chart-figure.tsx';
import { Legend } from './legend.tsx';
import { areaPath, dotPath, linePath } from './paths.ts';
import { colourOf, type Series } from './series.ts';
import { slotWords } from './slot-words.ts';
import { TimePlot, type TimePlotProps } from './time-plot.tsx';

interface LinePairProps extends Pick<TimePlotProps, 'title' | 'times' | 'grain' | 'gaps' | 'onPick'> {
  readonly lower: Series;
  readonly upper: Series;
  /** The values of the whole range. */
  readonly whole: readonly [number | null, number | null];
  /** A value on the axis, and beside it. */
  readonly round: (value: number) => string;
  readonly exact: (value: number) => string;
}

export function LinePair({
  title,
  times,
  grain,
  gaps,
  onPick,
  lower,
  upper,
  whole,
  round,
  exact,
}: LinePairProps) {
  const [marked, setMarked] = useState<number | null>(null);
  const lines = [lower, upper];
  const axis = axisTo(Math.max(0, ...upper.values.map((value) => value ?? 0)));
  const text = (value: number | null | undefined) =>
    value === null || value === undefined ? 'no data' : exact(value);
  const words = (slot: number) =>
    `${slotWords(times[slot] ?? 0, grain)}: ${lines.map(({ name, values }) => `${name} ${text(values[slot])}`).join(', ')}`;
  const columns = [grain === 'day' ? 'Day (UTC)' : 'Hour (UTC)', ...lines.map(({ name }) => name)];
  const rows = times.map((time, slot) => [
    slotWords(time, grain),
    ...lines.map(({ values }) => text(values[slot])),
  ]);
  return (
    <ChartFigure title={title} table={{ columns, rows }}>
      <TimePlot
        {...{ title, times, grain, axis, gaps, format: round, marked, words, onPick }}
        onMark={setMarked}
        description={`Two lines for each ${grain}: ${lower.name} and ${upper.name}. Of the whole time: ${whole.map(text).join(', ')}.`}
        draw={(frame) => (
          <>
            <path class="between" d={areaPath(lower.values, upper.values, frame, axis)} />
            {lines.map(({ id, values }, position) => (
              <g key={id} class={colourOf(position)}>
                <path class="trend" d={linePath(values, frame, axis)} />
                <path class="dot" d={dotPath(values, marked, frame, axis)} />
              </g>
            ))}
          </>
        )}
      />
      <Legend
        when={marked === null ? 'Of the whole time' : slotWords(times[marked] ?? 0, grain)}
        entries={lines.map(({ id, name, values }, position) => ({
          id,
          name,
          value: text(marked === null ? whole[position] : values[marked]),
        }))}
      />
    </ChartFigure>
  );
}
