/** Ids of tool calls in the form that Claude's protocols accept, in a request and in an answer. */
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
