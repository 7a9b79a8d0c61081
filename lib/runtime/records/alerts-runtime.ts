/** Alerts about budgets, with their dependencies. Loaded by the aggregator. */
import { randomUUID } from 'node:crypto';
import type { AwsCall } from '../../core/ports/aws.ts';
import type { PostWebhook } from '../../core/ports/webhooks.ts';
import { createRaiseAlerts, type RaiseAlerts } from '../../metering/alerts/alerts.ts';
import { createSendEvent } from '../../metering/alerts/event-bus.ts';
import { createPostAlert } from '../../metering/alerts/webhook.ts';
import { createTenantStore } from '../../stores/access/tenants.ts';
import { createCachedReader } from '../../stores/cached-reader.ts';
import { createCountAlert, createMarkAlert } from '../../stores/limits/alerts.ts';
import type { Foundation } from '../foundation.ts';

interface AlertParts extends Pick<Foundation, 'log' | 'now' | 'table'> {
  /** The calls of EventBridge; absent locally: there are no events, and a webhook may have any address. */
  readonly events?: AwsCall | undefined;
}

/** How long the terms of a tenant are remembered. */
const freshMs = 60_000;

/** Tenants whose terms a process remembers. */
const maxAlertedTenants = 1_000;

export function createAlerts({ log, now, table, events }: AlertParts): RaiseAlerts {
  const isLocal = events === undefined;
  const tenants = createTenantStore(table('access'));
  const termsOf = createCachedReader({
    now,
    freshMs,
    graceMs: freshMs,
    size: maxAlertedTenants,
    load: (name: string) => tenants.find(name),
  });
  return createRaiseAlerts({
    termsOf,
    mark: createMarkAlert(table('usage')),
    count: createCountAlert(table('usage')),
    channels: events ? [createSendEvent(events)] : [],
    post: createPostAlert({ post: (url, request) => postWebhook(isLocal, url, request), now }),
    log,
    now,
    newId: (prefix) => prefix + randomUUID(),
  });
}

/** Few tenants have a webhook: the client for it is loaded with the first alert. */
async function postWebhook(isLocal: boolean, ...[url, request]: Parameters<PostWebhook>): Promise<number> {
  const { createWebhookPoster } = await import('../../transport/webhook-poster.ts');
  return await createWebhookPoster({ isLocal })(url, request);
}
