/** Ids of tool calls: in the form that Claude's protocols accept, in a request and in an answer, and each only once. */
import { createHash } from 'node:crypto';

/**
 * At most 64 letters, digits, `_` and `-`. Any other id is replaced by one that depends only on it, so that call, result and
 * every later request agree.
 */
export function encodeToolCallId(id: string): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(id)) return id;
  const readable = id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 40);
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 16);
  return `${readable}_${digest}`;
}

/**
 * Gives each call an id of its own: some hosts count the calls of each answer from 0. It depends only on the calls before, so that it
 * stays the same as the conversation grows.
 */
export function createCallIds(): (id: string) => string {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return (id) => {
    let unique = id;
    while (taken.has(unique)) {
      const count = (counts.get(id) ?? 1) + 1;
      counts.set(id, count);
      unique = `${id}_${count}`;
    }
    taken.add(unique);
    return unique;
  };
}
