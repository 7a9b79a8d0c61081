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

/** The same, with a short answer's text, which is empty where it is longer than `maxBytes`. */
export type PostForText = (
  url: string,
  request: WebhookRequest,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal; readonly maxBytes: number },
) => Promise<{ readonly status: number; readonly text: string }>;
