/** How much of a limit of a key or a tenant is used. */
import type { KeyAnswer } from '../../../lib/admin/keys/schema.ts';
import { BudgetBar } from '../../charts/budget-bar.tsx';
import { dollarsOf } from '../../format/money.ts';
import { exactMoment } from '../../format/times.ts';
import { limitRows } from './key-values.ts';

export function LimitUse({ limit, set, used, share, resets_at: end }: KeyAnswer['use'][number]) {
  const row = limitRows.find(({ field }) => field === limit);
  const title = row?.title ?? (limit === 'credit_usd' ? 'Credit' : limit);
  const isMoney = row?.isMoney !== false;
  const shown = (amount: string | number) =>
    isMoney ? dollarsOf(String(amount)) : Number(amount).toLocaleString('en');
  const text = `${shown(used)} of ${shown(set)}`;
  return (
    <div class="use" title={isMoney ? `$${used} of $${set}` : undefined}>
      <span>{title}</span>
      <span class="number">{text}</span>
      <BudgetBar label={title} used={share} limit={1} text={text} passed={null} />
      {end !== null && <span class="hint">starts again {exactMoment(end)}</span>}
    </div>
  );
}
