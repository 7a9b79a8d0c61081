/** What is used of the budgets of a tenant or key. */

import type { BudgetAnswer } from '../../../lib/admin/usage/schema.ts';
import { daySeconds } from '../../../lib/core/time.ts';
import { BudgetBar } from '../../charts/budget-bar.tsx';
import { dollars, exactDollars } from '../../format/money.ts';
import { share } from '../../format/numbers.ts';
import { fullDay } from '../../format/times.ts';

const periodNames: Readonly<Record<BudgetAnswer['period'], string>> = {
  day: 'today',
  week: 'this week',
  month: 'this month',
  ever: 'in all',
};

export const Budgets = ({ budgets }: { readonly budgets: readonly BudgetAnswer[] }) => (
  <>
    {budgets.map((budget) => (
      <Budget key={`${budget.of} ${budget.id} ${budget.period}`} {...budget} />
    ))}
  </>
);

function Budget({
  of,
  period,
  limit_nano_usd: limit,
  used_nano_usd: used,
  resets_at: resetsAt,
}: BudgetAnswer) {
  const label = `${of === 'key' ? "Key's budget" : 'Budget'} ${periodNames[period]}`;
  const text = `${share(used, limit)} of ${dollars(limit)}`;
  const resets = resetsAt === null ? '' : `; starts again on ${fullDay(resetsAt)}`;
  return (
    <div
      class="budget-line"
      title={`${exactDollars(used)} of ${exactDollars(limit)}, with what running requests may cost${resets}`}
    >
      <p>
        <span>{label}</span>
        <span>{text}</span>
      </p>
      <BudgetBar label={label} used={used} limit={limit} text={text} passed={passedOf(period, resetsAt)} />
    </div>
  );
}

/** How much of the period is over, of 0 to 1. */
function passedOf(period: BudgetAnswer['period'], resetsAt: number | null): number | null {
  if (resetsAt === null) return null;
  const days = { day: 1, week: 7, month: daysBefore(resetsAt), ever: null }[period];
  const left = resetsAt - Date.now() / 1000;
  return days === null ? null : Math.min(1, Math.max(0, 1 - left / (days * daySeconds)));
}

/** The days of the month before this time, which is the start of a month. */
const daysBefore = (start: number) => new Date((start - 1) * 1000).getUTCDate();
