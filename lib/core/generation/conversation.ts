/** Where a conversation begins, for rules and encoders alike. */
import type { Message } from './request.ts';

/**
 * The position of the first message after the leading system messages. If nothing follows them, that of the last one:
 * protocols that separate system messages reject a request without any turn.
 */
export function startOf(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system');
  return first < 0 ? messages.length - 1 : first;
}
