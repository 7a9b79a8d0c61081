/** What alerts say: to receivers of webhooks and of events, and in the list of alerts. */
import type { LimitName, LimitScope } from '../../core/accounting/limits.ts';
import { formatDollars } from '../../core/accounting/money.ts';
import type { Alert, AlertPause, LoggedAlert, Notice, ProviderAlert } from '../../core/ports/alerts.ts';

/** What receivers of webhooks and of events read. */
export function bodyOf(notice: Notice) {
  return {
    type: typeOf(notice),
    timestamp: isoTime(notice.at),
    data: { message: describeNotice(notice), ...dataOf(notice) },
  };
}

/** As the list of alerts has it. */
export function loggedAlertOf(notice: Notice): LoggedAlert {
  const { id, at } = notice;
  const about = { id, type: typeOf(notice), message: describeNotice(notice), since: at };
  if ('provider' in notice) {
    const { provider, since, until } = notice;
    const message = describeFailing(provider);
    return { ...about, type: failing, message, since, ...(until !== undefined && { until }) };
  }
  const until = isPause(notice) ? notice.resumesAt : notice.resetsAt;
  return { ...about, tenant: notice.tenant, ...(until !== undefined && { until }) };
}

const failing = 'provider.failing';

function typeOf(notice: Notice): string {
  if ('provider' in notice) return notice.until === undefined ? failing : 'provider.recovered';
  return isPause(notice) ? 'limit.alerts_paused' : 'limit.alert';
}

const isoTime = (time: number) => new Date(time).toISOString();

const isoOrNull = (time: number | undefined) => (time === undefined ? null : isoTime(time));

function dataOf(notice: Notice) {
  if ('provider' in notice) {
    const { provider, since, until, attempts, failures } = notice;
    return { provider, since: isoTime(since), until: isoOrNull(until), attempts, failures };
  }
  const { tenant } = notice;
  if (isPause(notice))
    return { tenant, scope: notice.kind, sent: notice.sent, resumes_at: isoTime(notice.resumesAt) };
  const { scope, limit, percent, used, amount, resetsAt } = notice;
  return {
    tenant,
    scope: scope.kind,
    scope_id: scope.id,
    limit: limit.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    percent,
    used_usd: formatDollars(used),
    limit_usd: formatDollars(amount),
    resets_at: isoOrNull(resetsAt),
  };
}

const isPause = (notice: Alert | AlertPause): notice is AlertPause => 'resumesAt' in notice;

/** `80 % of the monthly budget of tenant acme is used.` */
function describeNotice(notice: Notice): string {
  if ('provider' in notice) return describeProvider(notice);
  return isPause(notice) ? describePause(notice) : describeAlert(notice);
}

const describeFailing = (provider: string) => `Calls of the provider ${provider} fail.`;

function describeProvider({ provider, until, attempts, failures }: ProviderAlert): string {
  if (until === undefined) return `${describeFailing(provider)} Of the last ${attempts}, ${failures} did.`;
  return attempts > 0
    ? `Calls of the provider ${provider} succeed again. Of the last ${attempts}, ${failures} failed.`
    : `The provider ${provider} is not called any more. Its last calls failed.`;
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
