/**
 * Delivers events to the webhooks of tenants: at least once, with the same id for every attempt. What is known of an event is in the
 * table before its first attempt, so another process can go on where one ended. Who waits for the next attempt, and how, is the host's.
 */
import { failureFields } from '../core/errors/failure-fields.ts';
import type { Log } from '../core/ports/log.ts';
import type { PostWebhook } from '../core/ports/webhooks.ts';
import type { Webhook } from '../core/tenancy.ts';
import { hourMs, minuteMs } from '../core/time.ts';
import { attemptPost } from '../core/webhooks/attempt.ts';
import {
  type Attempt,
  type Delivery,
  type DeliveryRef,
  type DeliveryState,
  type DeliveryStore,
  eventBody,
  eventIdOf,
  type Happening,
} from '../core/webhooks/delivery.ts';
import { isAccepted } from '../core/webhooks/sign.ts';

export interface DeliverParts {
  readonly deliveries: DeliveryStore;
  readonly webhookOf: (tenant: string) => Promise<Webhook | undefined>;
  readonly post: PostWebhook;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly log: Pick<Log, 'error' | 'warn'>;
}

/** The pauses after each failed attempt but the last one. Source: the example of the specification, spec/standard-webhooks.md. */
export const pausesMs: readonly number[] = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
];

/** Pauses are longer by a random part of up to this, so that events that failed together do not come again together. */
const jitter = 0.1;

/** How long an attempt is reserved for the process that makes it: longer than it takes. */
export const claimMs = 30_000;

/** Notes an event for a tenant that has a webhook, and gives what names it. */
export async function announce(
  { deliveries }: Pick<DeliverParts, 'deliveries'>,
  happening: Happening,
): Promise<DeliveryRef> {
  const id = eventIdOf(happening);
  await deliveries.create({ ...happening, id });
  return { tenant: happening.tenant, id };
}

/** Makes the attempt that is due. Resolves with the time of the next one, in Unix milliseconds; undefined: there is none. */
export async function attemptDelivery(parts: DeliverParts, ref: DeliveryRef): Promise<number | undefined> {
  const { deliveries, now } = parts;
  const found = await deliveries.find(ref);
  if (found?.state !== 'pending') return undefined;
  if (found.dueAt > now()) return found.dueAt;
  const claimedUntil = now() + claimMs;
  // If the process that has the attempt ends before it is made, another makes it.
  if (!(await deliveries.claim(found, claimedUntil))) return claimedUntil;
  const attempt = await post(parts, found);
  const state = stateAfter(found, attempt);
  const dueAt = now() + pauseAfter(found);
  const isOwn = await deliveries.record(found, claimedUntil, { attempt, state, dueAt });
  if (isOwn && state === 'failed') report(parts, found, attempt);
  return state === 'pending' ? dueAt : undefined;
}

async function post(parts: DeliverParts, delivery: Delivery): Promise<Attempt> {
  const { deliveries, webhookOf, now } = parts;
  const { tenant, id } = delivery;
  const webhook = await webhookOf(tenant);
  const at = now();
  if (!webhook) return { at, failure: 'no_webhook' };
  if (await deliveries.isDisabled(tenant, webhook.secret)) return { at, failure: 'gone' };
  const warn = (cause: unknown) =>
    parts.log.warn('webhook not reached', { tenant, event: id, ...failureFields(cause) });
  const attempt = await attemptPost(
    webhook,
    { id, body: eventBody(delivery) },
    { post: parts.post, at, warn },
  );
  if (attempt.status === 410) await deliveries.disable(tenant, webhook.secret);
  return attempt;
}

/** Another try helps where the receiver did not answer, or with a status that may change. */
function stateAfter({ attempts }: Delivery, { status, failure }: Attempt): DeliveryState {
  if (status !== undefined && isAccepted(status)) return 'delivered';
  const mayHelp = status === undefined ? failure === 'unreachable' : status !== 410;
  return mayHelp && attempts.length < pausesMs.length ? 'pending' : 'failed';
}

const pauseAfter = ({ attempts }: Delivery): number =>
  Math.round((pausesMs[attempts.length] ?? 0) * (1 + jitter * Math.random()));

function report({ log }: DeliverParts, { tenant, id, type, attempts }: Delivery, last: Attempt): void {
  const { status, failure } = last;
  log.error('webhook not delivered', {
    tenant,
    event: id,
    type,
    attempts: attempts.length + 1,
    ...(status !== undefined && { status }),
    ...(failure && { reason: failure }),
  });
}
