/** Alerts about budgets, with their dependencies. Loaded by the aggregator. */
import { randomUUID } from 'node:crypto';
import type { PostWebhook } from '../core/ports/alerts.ts';
import { createRaiseAlerts, type RaiseAlerts } from '../metering/alerts/alerts.ts';
import { createSendEvent } from '../metering/alerts/event-bus.ts';
import { createPostAlert } from '../metering/alerts/webhook.ts';
import { createTenantStore } from '../stores/access/tenants.ts';
import { createCachedReader } from '../stores/cached-reader.ts';
import { createMarkAlert } from '../stores/limits/alert-marks.ts';
import { createAwsCall } from '../transport/aws-call.ts';
import type { Foundation } from './foundation.ts';

export type AlertFoundation = Pick<Foundation, 'log' | 'now' | 'table' | 'send' | 'sign'> & {
  readonly environment: Pick<Foundation['environment'], 'AWS_REGION' | 'DYNAMODB_ENDPOINT'>;
};

/** How long the terms of a tenant are remembered. */
const freshMs = 60_000;

/** Events are put only where the tables are in AWS. Locally, a webhook may have any address. */
export function createAlerts({ environment, log, now, table, send, sign }: AlertFoundation): RaiseAlerts {
  const { AWS_REGION: region, DYNAMODB_ENDPOINT: endpoint } = environment;
  const isLocal = endpoint !== undefined;
  const tenants = createTenantStore(table('access'));
  const termsOf = createCachedReader({
    now,
    freshMs,
    graceMs: freshMs,
    size: 1_000,
    load: (name: string) => tenants.find(name),
  });
  const events = createAwsCall({ send, sign, region, service: 'events', jsonVersion: '1.1' });
  return createRaiseAlerts({
    termsOf,
    mark: createMarkAlert(table('usage')),
    channels: isLocal ? [] : [createSendEvent(events)],
    post: createPostAlert({ post: (url, request) => postWebhook(isLocal, url, request), now }),
    log,
    now,
    newId: (prefix) => prefix + randomUUID(),
  });
}

/** Few tenants have a webhook: the client for it is loaded with the first alert. */
async function postWebhook(isLocal: boolean, ...[url, request]: Parameters<PostWebhook>): Promise<number> {
  const { createWebhookPoster } = await import('../transport/webhook-poster.ts');
  return await createWebhookPoster({ isLocal })(url, request);
}
