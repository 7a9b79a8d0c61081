/** The words of alerts for people. */
import type { LimitName, LimitScope } from '../../core/accounting/limits.ts';
import type { Alert, AlertPause, Notice } from '../../core/ports/alerts.ts';

export const isPause = (notice: Notice): notice is AlertPause => 'resumesAt' in notice;

/** `80 % of the monthly budget of tenant acme is used.` */
export function describeNotice(notice: Notice): string {
  return isPause(notice) ? describePause(notice) : describeAlert(notice);
}

function describePause({ tenant, kind, sent, resumesAt }: AlertPause): string {
  const until = new Date(resumesAt).toISOString().slice(11, 16);
  return `${sent} alerts about ${kinds[kind]} of tenant ${tenant} were sent in this hour. Until ${until} UTC, others are only in the log.`;
}

const kinds = { tenant: 'budgets', key: 'keys', user: 'users' } as const;

function describeAlert({ limit, percent, scope, tenant }: Alert): string {
  return `${percent} % of the ${names[limit] ?? limit} of ${ownerOf(scope, tenant)} is used.`;
}

const names: Partial<Record<LimitName, string>> = {
  dailyBudget: 'daily budget',
  weeklyBudget: 'weekly budget',
  monthlyBudget: 'monthly budget',
  totalBudget: 'total budget',
  credit: 'credit',
};

function ownerOf({ kind, id }: LimitScope, tenant: string): string {
  if (kind === 'tenant') return `tenant ${id}`;
  return kind === 'key'
    ? `key ${id} of tenant ${tenant}`
    : `a user of tenant ${tenant} (${id.slice(tenant.length + 1)})`;
}
