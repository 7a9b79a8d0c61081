/** Alerts about budgets and providers, with their dependencies. Loaded by the aggregator. */
import { randomUUID } from 'node:crypto';
import { lazy } from '../../async/lazy.ts';
import type { Notice } from '../../core/ports/alerts.ts';
import type { AwsCall } from '../../core/ports/aws.ts';
import type { PostWebhook } from '../../core/ports/webhooks.ts';
import type { Webhook } from '../../core/tenancy.ts';
import { createRaiseAlerts, type RaiseAlerts } from '../../metering/alerts/alerts.ts';
import { type DeliveryOptions, deliverOfProvider } from '../../metering/alerts/deliver.ts';
import { createSendEvent } from '../../metering/alerts/event-bus.ts';
import type { WatchProviders } from '../../metering/alerts/watch-providers.ts';
import { createPostAlert } from '../../metering/alerts/webhook.ts';
import { createTenantStore } from '../../stores/access/tenants.ts';
import { createCachedReader } from '../../stores/cached-reader.ts';
import { createCountAlert, createMarkAlert } from '../../stores/limits/alerts.ts';
import type { Foundation } from '../foundation.ts';

interface AlertParts extends Pick<Foundation, 'log' | 'now' | 'table'> {
  /** The calls of EventBridge; absent locally: there are no events, and a webhook may have any address. */
  readonly events?: AwsCall | undefined;
  /** The operator's, which gets all alerts. */
  readonly webhook?: Webhook | undefined;
}

/** How long the terms of a tenant are remembered. */
const freshMs = 60_000;

/** Tenants whose terms a process remembers. */
const maxAlertedTenants = 1_000;

interface Alerts {
  readonly raiseAlerts: RaiseAlerts;
  readonly watchProviders: WatchProviders;
}

export function createAlerts({ log, now, table, events, webhook }: AlertParts): Alerts {
  const isLocal = events === undefined;
  const tenants = createTenantStore(table('access'));
  const termsOf = createCachedReader({
    now,
    freshMs,
    graceMs: freshMs,
    size: maxAlertedTenants,
    load: (name: string) => tenants.find(name),
  });
  const post = createPostAlert({ post: (url, request) => postWebhook(isLocal, url, request), now });
  const usage = { ...table('usage'), now };
  const alertLog = lazy(async () => {
    const { createAlertLog } = await import('../../stores/usage/alert-log.ts');
    return createAlertLog(usage);
  });
  const delivery: DeliveryOptions = {
    count: createCountAlert(usage),
    alertLog: { write: async (alert) => await (await alertLog()).write(alert) },
    channels: [
      ...(events ? [createSendEvent(events)] : []),
      ...(webhook ? [(notice: Notice) => post(webhook, notice)] : []),
    ],
    post,
    log,
    newId: (prefix) => prefix + randomUUID(),
  };
  const watch = lazy(async () => {
    const { watchOf } = await import('./watch-runtime.ts');
    return watchOf(usage, (alert) => deliverOfProvider(alert, delivery));
  });
  return {
    raiseAlerts: createRaiseAlerts({ ...delivery, termsOf, mark: createMarkAlert(usage), now }),
    watchProviders: async () => await (await watch())(),
  };
}

/** Few tenants have a webhook: the client for it is loaded with the first alert. */
async function postWebhook(isLocal: boolean, ...[url, request]: Parameters<PostWebhook>): Promise<number> {
  const { createWebhookPoster } = await import('../../transport/webhook-poster.ts');
  return await createWebhookPoster({ isLocal })(url, request);
}
