/** The groups of a chart with their values at the marked time, or of the whole range where none is marked. */
import { Link } from '../components/link.tsx';
import type { RowLink } from '../components/table/column.ts';
import type { Amount } from '../format/money.ts';
import { pageName } from '../state/location.ts';
import { colourOf } from './series.ts';

interface LegendEntry {
  readonly id: string;
  readonly name: string;
  readonly amount: Amount;
  /** A view of this group alone. */
  readonly link?: RowLink | undefined;
}

interface LegendProps {
  /** What the values are of: a time, or all of it. */
  readonly when: string;
  readonly total?: Amount;
  readonly entries: readonly LegendEntry[];
  /** In full; else at a glance. */
  readonly isExact: boolean;
}

export function Legend({ when, total, entries, isExact }: LegendProps) {
  const shown = ({ text, exact }: Amount) => (isExact ? exact : text);
  return (
    <div class="legend">
      <p class="legend-head">
        <span class="quiet">{when}</span>
        {total && <strong title={total.exact}>{shown(total)}</strong>}
        {total?.note && <span class="quiet">{total.note}</span>}
      </p>
      <ul>
        {entries.map(({ id, name, amount, link }, position) => (
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
            <span class="name" title={name}>
              {link ? (
                <Link to={link.to ?? pageName.value} with={link.with ?? {}} class="plain">
                  {name}
                </Link>
              ) : (
                name
              )}
            </span>
            <span class="number" title={[amount.exact, amount.note].filter(Boolean).join(': ')}>
              {shown(amount)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
