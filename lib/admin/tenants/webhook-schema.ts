/** The webhook of a tenant as the admin API shows it, with the last events that it was to get, and what a test of it answers. */
import * as z from 'zod/mini';

/** Why there was no answer. */
const failure = z.nullable(z.enum(['address_refused', 'gone', 'no_webhook', 'unreachable']));

const attemptSchema = z.object({
  at: z.int(),
  /** What the receiver answered; null: nothing. */
  status: z.nullable(z.int()),
  failure,
});

const deliverySchema = z.object({
  object: z.literal('webhook_delivery'),
  /** Of the event, and the header `webhook-id` of each attempt. */
  id: z.string(),
  type: z.string(),
  /** What it is about. */
  data_id: z.string(),
  state: z.enum(['pending', 'delivered', 'failed']),
  created_at: z.int(),
  /** Null: there is none. */
  next_attempt_at: z.nullable(z.int()),
  attempts: z.array(attemptSchema),
});

export const webhookAnswer = z.object({
  object: z.literal('webhook'),
  tenant: z.string(),
  /** Null: the tenant has none. */
  url: z.nullable(z.string()),
  /** False: the receiver answered 410, and gets no events until the URL is set again. */
  enabled: z.boolean(),
  /** The last ones, newest first. Alerts are not among them. */
  deliveries: z.array(deliverySchema),
});

export const webhookTestAnswer = z.object({
  object: z.literal('webhook_test'),
  /** The header `webhook-id`. */
  id: z.string(),
  status: z.nullable(z.int()),
  failure,
  duration_ms: z.int(),
});

export type DeliveryRow = z.infer<typeof deliverySchema>;
export type WebhookAnswer = z.infer<typeof webhookAnswer>;
export type WebhookTestAnswer = z.infer<typeof webhookTestAnswer>;
