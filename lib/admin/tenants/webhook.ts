/** The webhook of a tenant: the last events that it was to get, and an event that tests it. Neither shows what a receiver answers. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { newId } from '../../core/names/new-id.ts';
import type { PostWebhook } from '../../core/ports/webhooks.ts';
import { attemptPost } from '../../core/webhooks/attempt.ts';
import { type Delivery, type DeliveryStore, eventBody } from '../../core/webhooks/delivery.ts';
import type { StoredTenant } from '../../stores/access/tenants.ts';
import { recordChange } from '../audit/record-change.ts';
import { requireTenant, tenantNotFound } from '../reach.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import { tenantPath } from './schema.ts';
import type { DeliveryRow, WebhookAnswer, WebhookTestAnswer } from './webhook-schema.ts';

export interface WebhookParts extends Pick<SubjectParts, 'tenantEdits' | 'audit' | 'now'> {
  readonly deliveries: Pick<DeliveryStore, 'list' | 'isDisabled'>;
  readonly post: PostWebhook;
}

interface OfTenant {
  readonly tenant: string;
}

/** `GET /admin/v1/tenants/{tenant}/webhook` */
export const retrieveWebhookEndpoint = (parts: WebhookParts) =>
  endpointOf(parts, tenantPath, nothing, retrieveWebhook);

export async function retrieveWebhook(
  parts: WebhookParts,
  user: User,
  { tenant: name }: OfTenant,
): Promise<WebhookAnswer> {
  const { webhook } = await findTenant(parts, user, name);
  const { deliveries } = parts;
  const [isDisabled, last] = await Promise.all([
    webhook ? deliveries.isDisabled(name, webhook.secret) : false,
    deliveries.list(name),
  ]);
  return {
    object: 'webhook',
    tenant: name,
    url: webhook?.url ?? null,
    enabled: webhook !== undefined && !isDisabled,
    deliveries: last.map(deliveryRow),
  };
}

/** `POST /admin/v1/tenants/{tenant}/webhook/test` */
export const testWebhookEndpoint = (parts: WebhookParts) =>
  endpointOf(parts, tenantPath, nothing, testWebhook);

/** One attempt, at once. What it came to is in the audit log, too. */
export async function testWebhook(
  parts: WebhookParts,
  user: User,
  { tenant: name }: OfTenant,
): Promise<WebhookTestAnswer> {
  const { webhook } = await findTenant(parts, user, name);
  if (!webhook)
    throw new GatewayError('invalid_request', `Tenant ${name} has no webhook. Set alerts.webhook_url first.`);
  const { post, now } = parts;
  const at = now();
  const id = newId('evt_');
  const body = eventBody({ id, type: 'webhook.test', about: name, createdAt: at });
  const { status = null, failure = null } = await attemptPost(
    webhook,
    { id, body },
    { post, at, warn: () => {} },
  );
  await recordChange(parts, user, 'tenants.test_webhook', {
    tenant: name,
    target: name,
    after: { webhook_test: { url: webhook.url, status, failure } },
  });
  return { object: 'webhook_test', id, status, failure, duration_ms: Math.round(now() - at) };
}

async function findTenant({ tenantEdits }: WebhookParts, user: User, name: string): Promise<StoredTenant> {
  requireTenant(user, name);
  const tenant = await tenantEdits.find(name);
  if (!tenant) throw tenantNotFound(name);
  return tenant;
}

const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

const deliveryRow = ({ id, type, about, state, createdAt, dueAt, attempts }: Delivery): DeliveryRow => ({
  object: 'webhook_delivery',
  id,
  type,
  data_id: about,
  state,
  created_at: secondsOf(createdAt),
  next_attempt_at: state === 'pending' ? secondsOf(dueAt) : null,
  attempts: attempts.map(({ at, status = null, failure = null }) => ({ at: secondsOf(at), status, failure })),
});
