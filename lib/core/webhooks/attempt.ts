/** One attempt to post an event: what came of it. */
import { type PostWebhook, RefusedUrl } from '../ports/webhooks.ts';
import type { Webhook } from '../tenancy.ts';
import type { Attempt } from './delivery.ts';
import { postSigned, type WebhookMessage } from './sign.ts';

interface AttemptOptions {
  readonly post: PostWebhook;
  /** When it is made, in Unix milliseconds. */
  readonly at: number;
  /** Called with what kept the receiver from answering. */
  readonly warn: (cause: unknown) => void;
}

/** Never rejects. */
export async function attemptPost(
  webhook: Webhook,
  message: WebhookMessage,
  { post, at, warn }: AttemptOptions,
): Promise<Attempt> {
  try {
    return { at, status: await postSigned(post, webhook, message, at) };
  } catch (thrown) {
    if (thrown instanceof RefusedUrl) return { at, failure: 'address_refused' };
    warn(thrown);
    return { at, failure: 'unreachable' };
  }
}
