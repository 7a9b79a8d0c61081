/**
 * Ends an answer whose client may still send. The connection closes a moment later: closing it with unread bytes would reset the
 * connection before the client has read the answer.
 */
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

/** How long a client may continue to send a body that is not read. */
const lingerMs = 1_000;

export function afterBody(request: IncomingMessage, end: () => void): void {
  const enough = new AbortController();
  setTimeout(lingerMs, undefined, { signal: enough.signal }).then(end, () => {});
  finished(request.resume(), () => {
    enough.abort();
    end();
  });
}
