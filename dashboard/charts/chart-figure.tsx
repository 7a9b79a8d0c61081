/** The frame of a chart: its title, and the same numbers as a table behind a button. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from '../components/controls.tsx';
import type { Column } from '../components/table/column.ts';
import { Table } from '../components/table/table.tsx';
import { type Grain, slotWords } from './time-ticks.ts';

/** A column of values: of each slot its number and its text. */
interface SlotColumn {
  readonly name: string;
  readonly title: string;
  readonly value: (slot: number) => number | null;
  readonly text: (slot: number) => string;
}

interface ChartFigureProps {
  readonly title: string;
  readonly times: readonly number[];
  readonly grain: Grain;
  readonly columns: readonly SlotColumn[];
  /** Beside the title, such as a choice of what is shown. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function ChartFigure({ title, tools, children, ...numbers }: ChartFigureProps) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        {tools}
        <Button size="small" kind="bare" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </figcaption>
      {asTable ? <Numbers title={title} {...numbers} /> : children}
    </figure>
  );
}

function Numbers({ title, times, grain, columns }: Omit<ChartFigureProps, 'children' | 'tools'>) {
  const time: Column<number> = {
    name: 'time',
    title: grain === 'day' ? 'Day (UTC)' : 'Hour (UTC)',
    value: (slot) => new Date((times[slot] ?? 0) * 1000).toISOString(),
    cell: (slot) => slotWords(times[slot] ?? 0, grain),
  };
  const values = columns.map(
    ({ name, title, value, text }): Column<number> => ({ name, title, value, cell: text, kind: 'number' }),
  );
  return (
    <Table
      label={`${title}: table`}
      rows={times.map((_, slot) => slot)}
      columns={[time, ...values]}
      rowKey={String}
      csv={title.toLowerCase().replaceAll(/\W+/g, '-')}
    />
  );
}
