/** The groups whose spend changed most against the time before. */
import type { OverviewAnswer, OverviewGroup } from '../../../lib/admin/usage/schema.ts';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import type { RowLink } from '../../components/table/column.ts';
import { amount, dollars, exactDollars } from '../../format/money.ts';
import { pageName } from '../../state/location.ts';
import { noneNames } from './narrow.ts';

interface MoversProps {
  readonly movers: OverviewAnswer['movers'];
  readonly by: OverviewGroup;
  readonly linkOf: (id: string | null) => RowLink | undefined;
}

export function Movers({ movers, by, linkOf }: MoversProps) {
  if (movers.length === 0) return <p class="quiet">No {by} costs more or less than in the time before.</p>;
  return (
    <ul class="movers">
      {movers.map(({ id, name, cost_nano_usd: now, before_nano_usd: before, change_nano_usd: change }) => {
        const link = linkOf(id);
        const called = name ?? id ?? noneNames[by];
        return (
          <li key={id}>
            <Icon name={change > 0 ? 'up' : 'down'} />
            <span class="cut" title={called}>
              {link ? (
                <Link to={link.to ?? pageName.value} with={link.with ?? {}} class="plain">
                  {called}
                </Link>
              ) : (
                called
              )}
            </span>
            <span class="number" title={exactDollars(change)}>
              {change > 0 ? '+' : ''}
              {dollars(change)}
            </span>
            <span class="quiet">
              {amount(before).text} → {amount(now).text}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
