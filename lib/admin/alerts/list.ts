/**
 * `GET /admin/v1/alerts`: what the gateway itself has found, newest first. That the sums are behind is seen when the list is read: an
 * aggregator that has stopped raises no alert.
 */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { AlertLog, LoggedAlert } from '../../core/ports/alerts.ts';
import { minuteMs } from '../../core/time.ts';
import { reachedTenant } from '../reach.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { type AsOfParts, sumsAsOf } from '../usage/as-of.ts';
import {
  type AlertRow,
  type AlertsListAnswer,
  type AlertsListQuery,
  alertsListQuery,
  defaultAlertPage,
} from './schema.ts';

interface ListParts extends AsOfParts {
  readonly alerts: Pick<AlertLog, 'list'>;
  /** Of all tenants, those that were active last. */
  readonly lastActive: () => Promise<readonly string[]>;
}

/** Sums that are so far behind are an alert. The dashboard marks them from then on. */
const lateMs = 5 * minuteMs;

export const listAlertsEndpoint = (parts: ListParts) =>
  endpointOf(parts, alertsListQuery, nothing, listAlerts);

async function listAlerts(
  parts: ListParts,
  user: User,
  { tenant: asked, limit = defaultAlertPage, after }: AlertsListQuery,
  _ifMatch: string | undefined,
  signal: AbortSignal,
): Promise<AlertsListAnswer> {
  const tenant = reachedTenant(user, asked);
  const tenants = tenant === undefined ? await parts.lastActive() : [tenant];
  const [{ alerts, next }, asOf] = await Promise.all([
    parts.alerts.list({ tenant, after, limit }),
    sumsAsOf(parts, tenants, signal),
  ]);
  const isBehind = asOf !== undefined && parts.now() - asOf >= lateMs && after === undefined;
  return {
    object: 'list',
    data: [...(isBehind ? [behind(asOf)] : []), ...alerts.map(rowOf)],
    has_more: next !== undefined,
    next_after: next ?? null,
    as_of: asOf === undefined ? null : secondsOf(asOf),
  };
}

const secondsOf = (milliseconds: number) => Math.floor(milliseconds / 1000);

const behind = (asOf: number): AlertRow => ({
  object: 'alert',
  id: 'sums.behind',
  type: 'sums.behind',
  tenant: null,
  message: 'Requests that ended later are not in the sums: the aggregator is behind, or has stopped.',
  since: secondsOf(asOf),
  until: null,
  delivered: null,
});

function rowOf({ id, type, message, since, until, ...alert }: LoggedAlert): AlertRow {
  const { tenant = null, delivered = null } = alert;
  return {
    object: 'alert',
    id,
    type,
    tenant,
    message,
    since: secondsOf(since),
    until: until === undefined ? null : secondsOf(until),
    delivered,
  };
}
