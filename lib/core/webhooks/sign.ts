/**
 * Signs what is posted to webhooks as the Standard Webhooks specification has it: HMAC-SHA256 over id, time and body.
 * Source: standard-webhooks/standard-webhooks, spec/standard-webhooks.md.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { PostWebhook } from '../ports/webhooks.ts';
import type { Webhook } from '../tenancy.ts';

/** The prefix of secrets; the rest is base64. */
const secretPrefix = 'whsec_';

export const newSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`;

export interface WebhookMessage {
  /** The same for every attempt: a receiver that gets it twice knows by it. */
  readonly id: string;
  readonly body: string;
}

/** Makes one attempt at `at`, in Unix milliseconds. Resolves with the status of the answer. */
export function postSigned(
  post: PostWebhook,
  { url, secret }: Webhook,
  { id, body }: WebhookMessage,
  at: number,
): Promise<number> {
  return post(url, { headers: headersOf(secret, id, at, body), body });
}

/** Whether an answer with this status accepts what was posted. */
export const isAccepted = (status: number): boolean => status >= 200 && status <= 299;

/** `at`: Unix milliseconds. */
export function headersOf(secret: string, id: string, at: number, body: string) {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const seconds = Math.floor(at / 1000);
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'model-gateway',
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': `v1,${signature}`,
  };
}
