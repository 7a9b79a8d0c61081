/**
 * Events for the webhooks of tenants: where they are sent from, and what waits for their next attempt. In AWS, that is a schedule, which
 * costs nothing meanwhile; a server has timers, and finds at its start what was pending when it ended.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { lazy, lazyFor } from '../async/lazy.ts';
import { mapConcurrently } from '../async/map-concurrently.ts';
import { failureFields } from '../core/errors/failure-fields.ts';
import { minuteMs } from '../core/time.ts';
import type { DeliverEvent, DeliveryRef, Happening } from '../core/webhooks/delivery.ts';
import { createTenantStore } from '../stores/access/tenants.ts';
import { createDeliveryStore } from '../stores/webhooks/deliveries.ts';
import { announce, attemptDelivery, type DeliverParts } from '../webhooks/deliver.ts';
import type { Variables } from './environment.ts';
import { type Foundation, foundationOf } from './foundation.ts';

/** Of one attempt: a receiver may take longer than one of alerts. The specification recommends 15 s to 30 s. */
const eventTimeoutMs = 15_000;

/** A function waits so long itself. */
const maxWaitMs = 10_000;

/** Deliveries that a server takes up at a time when it starts. */
const resumedAtOnce = 10;

export const webhookParts = lazyFor((variables: Variables): DeliverParts => {
  const { environment, log, now, table } = foundationOf(variables);
  const tenants = createTenantStore({ ...table('access'), now });
  // Few tenants have a webhook: the client for it is loaded with the first event.
  const poster = lazy(async () => {
    const { createWebhookPoster } = await import('../transport/webhook-poster.ts');
    const isLocal = environment.DYNAMODB_ENDPOINT !== undefined;
    return createWebhookPoster({ isLocal, timeoutMs: eventTimeoutMs });
  });
  return {
    deliveries: createDeliveryStore({ ...table('state'), now }),
    webhookOf: async (tenant) => (await tenants.find(tenant))?.webhook,
    post: async (url, request) => (await poster())(url, request),
    now,
    log,
  };
});

export const deliverEvent = lazyFor((variables: Variables): DeliverEvent => {
  const foundation = foundationOf(variables);
  const parts = webhookParts(variables);
  const { GATEWAY_SCHEDULE_GROUP: group, GATEWAY_SCHEDULE_ROLE: roleArn } = foundation.environment;
  return group !== undefined && roleArn !== undefined
    ? withSchedules(foundation, parts, { group, roleArn })
    : withTimers(foundation, parts);
});

/** Tells a tenant what happened, if it has a webhook. */
export function announceEvent(variables: Variables) {
  const parts = webhookParts(variables);
  const deliver = deliverEvent(variables);
  return {
    isListening: async (tenant: string) => (await parts.webhookOf(tenant)) !== undefined,
    async announce(happening: Happening, host: Parameters<DeliverEvent>[1]): Promise<void> {
      await deliver(await announce(parts, happening), host);
    },
  };
}

function withSchedules(
  { sendForText, sign, endpointOf, environment, now }: Foundation,
  parts: DeliverParts,
  { group, roleArn }: { readonly group: string; readonly roleArn: string },
): DeliverEvent {
  const schedule = lazy(async () => {
    const { createCreateSchedule } = await import('../transport/aws/create-schedule.ts');
    const { AWS_REGION: region } = environment;
    const endpoint = endpointOf('scheduler');
    return createCreateSchedule({ sendForText, sign, region, endpoint, group, roleArn });
  });
  return async (ref, { functionArn = '' }) => {
    for (let due = await attemptDelivery(parts, ref); due !== undefined; ) {
      const waitMs = due - now();
      if (waitMs > maxWaitMs) {
        const event = { tenant: ref.tenant, event: ref.id };
        const name = `${ref.id}-${Math.ceil(due / 1_000)}`;
        return await (await schedule())({ name, at: due, functionArn, event });
      }
      await sleep(waitMs);
      due = await attemptDelivery(parts, ref);
    }
  };
}

/** Never rejects: while the database is down, it is tried again. */
function withTimers({ log, now }: Pick<Foundation, 'log' | 'now'>, parts: DeliverParts): DeliverEvent {
  const deliver = async (ref: DeliveryRef): Promise<void> => {
    const warn = (cause: unknown) =>
      log.warn('webhook attempt failed', { tenant: ref.tenant, event: ref.id, ...failureFields(cause) });
    const due = await attemptDelivery(parts, ref).catch((cause) => {
      warn(cause);
      return now() + minuteMs;
    });
    if (due === undefined) return;
    await parts.deliveries.remember(ref).catch(warn);
    setTimeout(deliver, Math.max(0, due - now()), ref).unref();
  };
  return deliver;
}

/** Of a server that starts: takes up what other processes, which may have ended, left pending. */
export async function resumeDeliveries(variables: Variables): Promise<void> {
  const { log } = foundationOf(variables);
  const deliver = deliverEvent(variables);
  try {
    const refs = await webhookParts(variables).deliveries.remembered();
    await mapConcurrently(refs, resumedAtOnce, (ref) => deliver(ref, {}));
  } catch (cause) {
    log.warn('pending webhooks not read', failureFields(cause));
  }
}
