/** Two lines over time of which the second is never lower, such as the median and the 95th percentile; the area between is shaded. */
import { useState } from 'preact/hooks';
import { ChartFigure } from './chart-figure.tsx';
import { axisTo } from './frame.ts';
import { Legend } from './legend.tsx';
import { areaPath, dotPath, linePath } from './paths.ts';
import { colourOf, type Series } from './series.ts';
import { TimePlot, type TimePlotProps } from './time-plot.tsx';
import { slotWords } from './time-ticks.ts';

/** The height of the axis where there is nothing. */
const emptyMax = 1_000;

interface Line extends Series {
  /** Its value of the whole range. */
  readonly whole: number | null;
}

interface LinePairProps extends Pick<TimePlotProps, 'title' | 'times' | 'grain' | 'gaps' | 'onPick'> {
  readonly lower: Line;
  readonly upper: Line;
  /** A number of the axis, and a value. */
  readonly tick: (value: number) => string;
  readonly format: (value: number) => string;
}

export function LinePair({ lower, upper, tick, format, ...plot }: LinePairProps) {
  const { title, times, grain } = plot;
  const [marked, setMarked] = useState<number | null>(null);
  const lines = [lower, upper];
  const axis = axisTo(Math.max(0, ...upper.values.map((value) => value ?? 0)) || emptyMax);
  const text = (value: number | null | undefined) =>
    value === null || value === undefined ? 'none' : format(value);
  const words = (slot: number) =>
    `${slotWords(times[slot] ?? 0, grain)}: ${lines.map(({ name, values }) => `${name} ${text(values[slot])}`).join(', ')}`;
  const columns = lines.map(({ id, name, values }) => ({
    name: id,
    title: name,
    value: (slot: number) => values[slot] ?? null,
    text: (slot: number) => text(values[slot]),
  }));
  const whole = lines.map((line) => `${line.name} ${text(line.whole)}`).join(', ');
  return (
    <ChartFigure {...{ title, times, grain, columns }}>
      <TimePlot
        {...plot}
        {...{ axis, marked, words }}
        format={tick}
        onMark={setMarked}
        description={`Two lines for each ${grain}. Of the whole time: ${whole}.`}
        shapes={(frame) => (
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
        isExact={marked !== null}
        entries={lines.map(({ id, name, values, whole }) => {
          const value = text(marked === null ? whole : values[marked]);
          return { id, name, amount: { text: value, exact: value } };
        })}
      />
    </ChartFigure>
  );
}
