/** Posts an alert to a webhook. */
import { retry } from '../../async/retry.ts';
import type { Notice } from '../../core/ports/alerts.ts';
import { type PostWebhook, RefusedUrl } from '../../core/ports/webhooks.ts';
import type { Webhook } from '../../core/tenancy.ts';
import { isAccepted, postSigned } from '../../core/webhooks/sign.ts';
import { bodyOf } from './body.ts';

interface WebhookOptions {
  readonly post: PostWebhook;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** The pauses between attempts, in milliseconds. */
  readonly pausesMs?: readonly number[];
}

const defaultPausesMs = [1_000, 4_000];

/** Rejects if the last attempt was not answered with a status of success. Each attempt has a time and a signature of its own. */
export function createPostAlert({ post, now, pausesMs = defaultPausesMs }: WebhookOptions) {
  return async (webhook: Webhook, notice: Notice): Promise<void> => {
    const message = { id: notice.id, body: JSON.stringify(bodyOf(notice)) };
    await retry(
      async () => {
        const status = await postSigned(post, webhook, message, now());
        if (!isAccepted(status)) throw new Error(`The webhook answered with status ${status}.`);
      },
      { pausesMs, mayRetry: (error) => !(error instanceof RefusedUrl) },
    );
  };
}
