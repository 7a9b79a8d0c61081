/** The groups of a chart with their values at the marked time, or of the whole range where none is marked. */
import { colourOf } from './series.ts';

export interface LegendEntry {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  /** The value in full. */
  readonly exact?: string;
  /** A narrower view. */
  readonly href?: string | undefined;
}

interface LegendProps {
  /** What the values are of: a time, or all of it. */
  readonly when: string;
  readonly total?: string | undefined;
  /** What is not known. */
  readonly note?: string | undefined;
  readonly entries: readonly LegendEntry[];
}

export function Legend({ when, total, note, entries }: LegendProps) {
  return (
    <div class="legend">
      <p class="legend-head">
        <span class="quiet">{when}</span>
        {total && <strong>{total}</strong>}
        {note && <span class="quiet">{note}</span>}
      </p>
      <ul>
        {entries.map(({ id, name, value, exact, href }, position) => (
          <li key={id}>
            <svg
              class={`swatch ${colourOf(position)}`}
              viewBox="0 0 10 10"
              width={10}
              height={10}
              aria-hidden="true"
            >
              <rect width={10} height={10} rx={2} />
            </svg>
            {href === undefined ? (
              <span class="name" title={name}>
                {name}
              </span>
            ) : (
              <a class="name" href={href} title={name}>
                {name}
              </a>
            )}
            <span class="number" title={exact}>
              {value}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
