/** The frame of a chart: its title, and the same numbers as a table behind a button. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

export interface ChartTable {
  /** The first names what a row is. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface ChartFigureProps {
  readonly title: string;
  readonly table: ChartTable;
  /** Beside the title, such as a choice of what is shown. */
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function ChartFigure({ title, table, tools, children }: ChartFigureProps) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        {tools}
        <button
          type="button"
          class="quiet-button"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? 'Show as chart' : 'Show as table'}
        </button>
      </figcaption>
      {asTable ? <Numbers title={title} table={table} /> : children}
    </figure>
  );
}

function Numbers({
  title,
  table: { columns, rows },
}: {
  readonly title: string;
  readonly table: ChartTable;
}) {
  return (
    // A region that scrolls is reached by keyboard only with a place in the order.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="chart-table" aria-label={`${title}: table`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column, position) => (
              <th key={column} scope="col" class={position > 0 ? 'number' : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, position) => (
                <td key={columns[position + 1]} class="number">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
