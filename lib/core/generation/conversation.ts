/** The parts of a conversation that more than one room must see alike. */
import type { Message } from './request.ts';

/**
 * Where the conversation begins: after the system messages that stand before it. Where nothing follows them, with the
 * last of them: wires that keep them apart refuse a request without any turn.
 */
export function startOf(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system');
  return first < 0 ? messages.length - 1 : first;
}
