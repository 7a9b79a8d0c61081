/**
 * Names the provider in the message of a failed call. Protocols and transport do not know it: their messages say "the
 * provider".
 */

import type { ErrorKind } from '../errors/error-kinds.ts';
import type { GatewayError } from '../errors/errors.ts';

/** These may show the provider's own message, whose words are not ours to change. */
export const withProviderMessage: ReadonlySet<ErrorKind> = new Set([
  'upstream_bad_request',
  'upstream_context_length',
  'upstream_content_policy',
  'upstream_invalid_call',
]);

/** The same error, with `provider 'openai'` in place of "the provider". Errors that are not upstream's stay unchanged. */
export function withProviderName(error: GatewayError, provider: string): GatewayError {
  if (!error.kind.startsWith('upstream_')) return error;
  const words = withProviderMessage.has(error.kind)
    ? /^The provider(?= rejected)/
    : /\b(?:the|this) provider\b/i;
  const message = error.message.replace(
    words,
    (found) => `${found.startsWith('T') ? 'P' : 'p'}rovider '${provider}'`,
  );
  return message === error.message ? error : error.with({ message });
}
