/**
 * Takes alerts to the log, to the list of alerts, to every channel and to the webhook of their tenant. A tenant may have any number of users and keys: of
 * each kind of scope only so many alerts are sent in an hour, then one notice says that the others are in the log alone.
 */

import { failureFields, ownFailureFields } from '../../core/errors/failure-fields.ts';
import type {
  Alert,
  AlertLog,
  CountAlert,
  Notice,
  ProviderAlert,
  SendAlert,
} from '../../core/ports/alerts.ts';
import type { Log } from '../../core/ports/log.ts';
import type { Webhook } from '../../core/tenancy.ts';
import { hourMs } from '../../core/time.ts';
import { loggedAlertOf } from './body.ts';

export interface DeliveryOptions {
  /** For all alerts: the event bus, and the operator's webhook. */
  readonly channels: readonly SendAlert[];
  readonly post: (webhook: Webhook, notice: Notice) => Promise<void>;
  readonly count: CountAlert;
  readonly alertLog: Pick<AlertLog, 'write'>;
  readonly log: Log;
  /** A random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

/** Of one kind of scope (tenant, key or user) of a tenant. */
export const maxAlertsPerHour = 100;

export async function deliver(
  alert: Alert,
  webhook: Webhook | undefined,
  options: DeliveryOptions,
): Promise<void> {
  const { log, count } = options;
  const { id, at, tenant, scope, limit, percent } = alert;
  const fields = { alert: id, tenant, scope: scope.kind, scope_id: scope.id, limit, percent };
  log.warn('limit alert', { ...fields, used_nano_dollars: alert.used, limit_nano_dollars: alert.amount });
  const hour = Math.floor(at / hourMs);
  // An alert that cannot be counted is sent: it is marked already, and does not come again.
  const sent = await count(tenant, scope.kind, hour).catch(() => 1);
  if (sent <= maxAlertsPerHour) return await send(alert, webhook, fields, options);
  if (sent > maxAlertsPerHour + 1) return;
  const pause = { kind: scope.kind, sent: maxAlertsPerHour, resumesAt: (hour + 1) * hourMs };
  const notice = { id: options.newId('alert_'), at, tenant, ...pause };
  log.error('limit alerts paused', { tenant, scope: scope.kind, sent: pause.sent });
  await send(notice, webhook, { alert: notice.id, tenant, scope: scope.kind }, options);
}

/** An alert about a provider is no tenant's. */
export async function deliverOfProvider(alert: ProviderAlert, options: DeliveryOptions): Promise<void> {
  const { id, provider, since, until, attempts, failures } = alert;
  const fields = { alert: id, provider };
  const message = until === undefined ? 'provider failing' : 'provider recovered';
  options.log.warn(message, { ...fields, since, attempts, failures });
  await send(alert, undefined, fields, options);
}

/** To every channel; what one fails to deliver the others still do. */
async function send(
  notice: Notice,
  webhook: Webhook | undefined,
  fields: Readonly<Record<string, unknown>>,
  { channels, post, log, alertLog }: DeliveryOptions,
): Promise<void> {
  const write = (delivered?: boolean) =>
    alertLog
      .write({ ...loggedAlertOf(notice), ...(delivered !== undefined && { delivered }) })
      .catch((error: unknown) => log.error('alert not listed', { ...fields, ...failureFields(error) }));
  await write();
  const sent = await Promise.allSettled([
    ...channels.map((channel) => channel(notice)),
    ...(webhook ? [post(webhook, notice)] : []),
  ]);
  for (const one of sent) {
    if (one.status === 'fulfilled') continue;
    log.error('limit alert not delivered', { ...fields, ...ownFailureFields(one.reason) });
  }
  if (sent.length > 0) await write(sent.every(({ status }) => status === 'fulfilled'));
}
