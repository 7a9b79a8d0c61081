/** How webhooks are posted. */

/** A URL that must not be called: another try would not help. */
export class RefusedUrl extends Error {}

/** Sends one body to a URL; resolves with the status of the answer. Rejects with RefusedUrl for a URL that must not be called. */
export type PostWebhook = (url: string, request: WebhookRequest) => Promise<number>;

interface WebhookRequest {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
