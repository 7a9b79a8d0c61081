/**
 * Posts to the URLs of webhooks: only over https and only to public addresses, so that a URL cannot reach into the operator's
 * network. A local gateway may call any address. Redirects are not followed.
 */
import { isIP } from 'node:net';
import { withTimeout } from '../async/with-timeout.ts';
import { type PostForText, type PostWebhook, RefusedUrl } from '../core/ports/webhooks.ts';
import { sendOver } from './http-client/exchange.ts';
import {
  type Lookup,
  lookupAll,
  openPinned,
  type ResolvedUrl,
  type TlsOptions,
} from './http-client/pinned-connection.ts';
import { readBytes } from './read-body.ts';
import { hasWebhookScheme } from './webhook-url.ts';

export interface WebhookPosterOptions {
  /** Whether plain http and private addresses are allowed. */
  readonly isLocal: boolean;
  /** All addresses of a host name. Default: the system's resolver. */
  readonly lookup?: Lookup;
  /** For one attempt. */
  readonly timeoutMs?: number;
  readonly tls?: TlsOptions;
}

/** The answer is read to its end only if it is short. */
const maxWebhookAnswer = 64 * 1024;

/** Of one attempt, from the name of its host to the end of its answer. */
const webhookTimeoutMs = 5_000;

export function createWebhookPoster(options: WebhookPosterOptions): PostWebhook {
  const { timeoutMs = webhookTimeoutMs } = options;
  const post = createTextPoster(options);
  return async (url, request) => (await post(url, request, { timeoutMs, maxBytes: maxWebhookAnswer })).status;
}

export function createTextPoster(options: Omit<WebhookPosterOptions, 'timeoutMs'>): PostForText {
  const { tls = {} } = options;
  return async (text, { headers, body }, { timeoutMs, signal: given, maxBytes }) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = given ? AbortSignal.any([given, timeout]) : timeout;
    // The system's resolver cannot be stopped: what it finds too late is not used.
    const resolved = await withTimeout(resolve(text, options), timeoutMs, () =>
      Promise.reject(new Error('The host of the webhook was not found in time.')),
    );
    const connection = openPinned(resolved, tls);
    try {
      const response = await sendOver(
        connection,
        { method: 'POST', url: resolved.url.href, headers, body },
        { timeouts: { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs }, signal },
      );
      const bytes = await readBytes(response, maxBytes);
      return { status: response.status, text: bytes ? new TextDecoder().decode(bytes) : '' };
    } finally {
      await connection.destroy();
    }
  };
}

async function resolve(
  text: string,
  { isLocal, lookup = lookupAll }: WebhookPosterOptions,
): Promise<ResolvedUrl> {
  const url = URL.parse(text);
  if (!url || !hasWebhookScheme(url, isLocal)) {
    throw new RefusedUrl('The URL of the webhook is not an https URL.');
  }
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(literal) ? [literal] : await lookup(url.hostname);
  if (addresses.length === 0) throw new Error('The host of the webhook was not found.');
  if (!isLocal) {
    const { isPublicAddress } = await import('./address-guard.ts');
    // A private address among public ones is an attack, not an accident.
    if (!addresses.every(isPublicAddress))
      throw new RefusedUrl('The host of the webhook is not on the public internet.');
  }
  return { url, addresses };
}
