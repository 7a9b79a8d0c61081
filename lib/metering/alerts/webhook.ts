/** Posts an alert to a tenant's webhook. */
import { retry } from '../../async/retry.ts';
import type { LimitName, LimitScope } from '../../core/accounting/limits.ts';
import { formatDollars } from '../../core/accounting/money.ts';
import type { Alert, AlertPause, Notice } from '../../core/ports/alerts.ts';
import { type PostWebhook, RefusedUrl } from '../../core/ports/webhooks.ts';
import type { Webhook } from '../../core/tenancy.ts';
import { isAccepted, postSigned } from '../../core/webhooks/sign.ts';

interface WebhookOptions {
  readonly post: PostWebhook;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** The pauses between attempts, in milliseconds. */
  readonly pausesMs?: readonly number[];
}

const defaultPausesMs = [1_000, 4_000];

/** Rejects if the last attempt was not answered with a status of success. Each attempt has a time and a signature of its own. */
export function createPostAlert({ post, now, pausesMs = defaultPausesMs }: WebhookOptions) {
  return async (webhook: Webhook, notice: Notice): Promise<void> => {
    const message = { id: notice.id, body: JSON.stringify(bodyOf(notice)) };
    await retry(
      async () => {
        const status = await postSigned(post, webhook, message, now());
        if (!isAccepted(status)) throw new Error(`The webhook answered with status ${status}.`);
      },
      { pausesMs, mayRetry: (error) => !(error instanceof RefusedUrl) },
    );
  };
}

/** What receivers of webhooks and of events read. */
export function bodyOf(notice: Notice) {
  const { at, tenant } = notice;
  const message = describeNotice(notice);
  return isPause(notice)
    ? {
        type: 'limit.alerts_paused',
        timestamp: isoTime(at),
        data: {
          message,
          tenant,
          scope: notice.kind,
          sent: notice.sent,
          resumes_at: isoTime(notice.resumesAt),
        },
      }
    : { type: 'limit.alert', timestamp: isoTime(at), data: { message, tenant, ...dataOf(notice) } };
}

const isoTime = (time: number) => new Date(time).toISOString();

const dataOf = ({ scope, limit, percent, used, amount, resetsAt }: Alert) => ({
  scope: scope.kind,
  scope_id: scope.id,
  limit: limit.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  percent,
  used_usd: formatDollars(used),
  limit_usd: formatDollars(amount),
  resets_at: resetsAt === undefined ? null : isoTime(resetsAt),
});

const isPause = (notice: Notice): notice is AlertPause => 'resumesAt' in notice;

/** `80 % of the monthly budget of tenant acme is used.` */
function describeNotice(notice: Notice): string {
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
