/** Charts over time: their title, a legend, and the same numbers as a table behind a button. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from '../components/controls.tsx';
import { Link } from '../components/link.tsx';
import { type Column, type RowLink, Table } from '../components/table/table.tsx';
import type { Amount } from '../format/money.ts';
import { pageName } from '../state/location.ts';
import { axisTo, type Frame } from './frame.ts';
import { areaPath, dotPath, linePath, stackPaths } from './paths.ts';
import { colourOf, noData, type Series, sumOfSeries } from './series.ts';
import { TimePlot, type TimePlotProps } from './time-plot.tsx';
import { slotWords } from './time-ticks.ts';

export interface TimeSeries extends Series {
  /** A view of this group alone. */
  readonly link?: RowLink | undefined;
  /** In words, of a slot or of all of them (null); `noData` where there is none. */
  readonly amount: (slot: number | null) => Amount;
}

type PlotProps = Pick<TimePlotProps, 'title' | 'times' | 'grain' | 'gaps' | 'onPick' | 'onZoom'>;

interface TimeChartProps extends PlotProps, Pick<TimePlotProps, 'axis' | 'description' | 'format'> {
  readonly series: readonly TimeSeries[];
  /** Of all series together, where they are added up. */
  readonly total?: Pick<TimeSeries, 'values' | 'amount'>;
  /** A value as it is saved. */
  readonly saved?: ((value: number | null) => number | null) | undefined;
  readonly shapes: (frame: Frame, marked: number | null) => ComponentChildren;
  /** Where a row of the table leads. */
  readonly slotLink?: (slot: number) => RowLink;
  /** Beside the title, such as a choice of what is shown. */
  readonly tools?: ComponentChildren;
}

function TimeChart({
  series,
  total,
  saved = (value) => value,
  shapes,
  slotLink,
  tools,
  description,
  axis,
  format,
  ...plot
}: TimeChartProps) {
  const { title, times, grain } = plot;
  const [asTable, setAsTable] = useState(false);
  const [marked, setMarked] = useState<number | null>(null);
  const id = useId();
  const timeOf = (slot: number) => slotWords(times[slot] ?? 0, grain);
  const words = (slot: number) => {
    const whole = total?.amount(slot);
    const parts = series.filter(({ values }) => values[slot] !== 0 && whole !== noData);
    return [
      [timeOf(slot), whole?.exact].filter(Boolean).join(': '),
      ...parts.map(({ name, amount }) => `${name} ${amount(slot).exact}`),
      ...(whole?.note ? [whole.note] : []),
    ].join('; ');
  };
  const columns = [
    ...(total ? [{ id: 'total', name: 'Total', ...total }] : []),
    ...series.map((one) => ({ ...one, id: `group ${one.id}` })),
  ].map(
    ({ id: name, name: heading, values, amount }): Column<number> => ({
      name,
      title: heading,
      value: (slot) => saved(values[slot] ?? null),
      cell: (slot) => amount(slot).exact,
      kind: 'number',
    }),
  );
  const time: Column<number> = {
    name: 'time',
    title: grain === 'day' ? 'Day (UTC)' : 'Hour (UTC)',
    value: (slot) => new Date((times[slot] ?? 0) * 1000).toISOString(),
    cell: timeOf,
  };
  return (
    <figure class="chart stack" aria-labelledby={id}>
      <figcaption class="row row-wrap">
        <h2 id={id}>{title}</h2>
        {tools}
        <Button size="small" kind="bare" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </figcaption>
      {asTable ? (
        <Table
          label={`${title}: table`}
          rows={times.map((_, slot) => slot)}
          columns={[time, ...columns]}
          rowKey={String}
          {...(slotLink && { rowLink: slotLink })}
          csv={title.toLowerCase().replaceAll(/\W+/g, '-')}
        />
      ) : (
        <>
          <TimePlot
            {...plot}
            axis={axis}
            marked={marked}
            words={words}
            format={format}
            description={description}
            onMark={setMarked}
            shapes={(frame) => shapes(frame, marked)}
          />
          <Legend
            when={marked === null ? 'In this time' : timeOf(marked)}
            total={total?.amount(marked)}
            series={series}
            slot={marked}
          />
        </>
      )}
    </figure>
  );
}

interface LegendProps {
  /** What the values are of: a time, or all of it. */
  readonly when: string;
  readonly total: Amount | undefined;
  readonly series: readonly TimeSeries[];
  /** Its values are in full; without one, those of the whole time are at a glance. */
  readonly slot: number | null;
}

/** The groups of a chart with their values at the marked time, or of the whole range where none is marked. */
function Legend({ when, total, series, slot }: LegendProps) {
  const shown = ({ text, exact }: Amount) => (slot === null ? text : exact);
  return (
    <div class="legend">
      <p class="legend-head">
        <span class="quiet">{when}</span>
        {total && <strong title={total.exact}>{shown(total)}</strong>}
        {total?.note && <span class="quiet">{total.note}</span>}
      </p>
      <ul>
        {series.map(({ id, name, link, amount }, position) => (
          <li key={id} class="row">
            <svg class="swatch" style={colourOf(position)} width={10} height={10} aria-hidden="true">
              <rect width={10} height={10} rx={2} />
            </svg>
            <span class="name cut" title={name}>
              {link ? (
                <Link to={link.to ?? pageName.value} with={link.with ?? {}} class="plain">
                  {name}
                </Link>
              ) : (
                name
              )}
            </span>
            <span class="number" title={[amount(slot).exact, amount(slot).note].filter(Boolean).join(': ')}>
              {shown(amount(slot))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface StackedBarsProps
  extends PlotProps,
    Pick<TimeChartProps, 'format' | 'saved' | 'slotLink' | 'tools'> {
  /** At most eight, and the others as the last. */
  readonly series: readonly TimeSeries[];
  /** Of all groups together. */
  readonly total: TimeSeries['amount'];
  /** The smallest step of the axis. */
  readonly smallest: number | undefined;
  /** The height of the axis where there is nothing. */
  readonly emptyMax: number | undefined;
}

/** Amounts over time by group, as stacked bars: one for each hour or day. */
export function StackedBars({ total, smallest, emptyMax = 1, ...chart }: StackedBarsProps) {
  const { series, grain } = chart;
  const values = sumOfSeries(series);
  const axis = axisTo(Math.max(0, ...values.map((sum) => sum ?? 0)) || emptyMax, 4, smallest);
  return (
    <TimeChart
      {...chart}
      axis={axis}
      total={{ values, amount: total }}
      description={`Bars for each ${grain}, by group. In total ${total(null).exact}.`}
      shapes={(frame) =>
        stackPaths(series, frame, axis).map((path, position) => (
          <path key={series[position]?.id} class="stack-bar" style={colourOf(position)} d={path} />
        ))
      }
    />
  );
}

interface Line extends Series {
  /** Its value of the whole range. */
  readonly whole: number | null;
}

interface LinePairProps extends PlotProps, Pick<TimeChartProps, 'format'> {
  readonly lower: Line;
  readonly upper: Line;
  /** A value in words. */
  readonly text: (value: number) => string;
  /** The height of the axis where there is nothing. */
  readonly emptyMax: number;
}

/** Two lines over time of which the second is never lower, such as the median and the 95th percentile; the area between is shaded. */
export function LinePair({ lower, upper, text, emptyMax, ...chart }: LinePairProps) {
  const axis = axisTo(Math.max(0, ...upper.values.map((value) => value ?? 0)) || emptyMax);
  const lines = [lower, upper].map(({ whole, ...line }) => ({
    ...line,
    amount: (slot: number | null) => {
      const value = (slot === null ? whole : line.values[slot]) ?? null;
      const shown = value === null ? 'none' : text(value);
      return { text: shown, exact: shown };
    },
  }));
  const whole = lines.map(({ name, amount }) => `${name} ${amount(null).exact}`).join(', ');
  return (
    <TimeChart
      {...chart}
      axis={axis}
      series={lines}
      description={`Two lines for each ${chart.grain}. Of the whole time: ${whole}.`}
      shapes={(frame, marked) => (
        <>
          <path class="between" d={areaPath(lower.values, upper.values, frame, axis)} />
          {lines.map(({ id, values }, position) => (
            <g key={id} style={colourOf(position)}>
              <path class="trend" d={linePath(values, frame, axis)} />
              <path class="dot" d={dotPath(values, marked, frame, axis)} />
            </g>
          ))}
        </>
      )}
    />
  );
}
