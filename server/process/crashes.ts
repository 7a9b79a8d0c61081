/**
 * Exceptions that no request catches: in a callback or a promise that nothing waits for. They do not end the process, and with it
 * the requests of everybody else; but what they have left behind is unknown, so the process should be replaced.
 */
import type { Log } from '../../lib/core/ports/log.ts';
import { stackOf } from '../http/handle-request.ts';

/** Their log lines in a minute; what fails more often is known. */
const maxCrashLines = 60;

/** `onCrash` is called for the first one. */
export function watchCrashes(log: Pick<Log, 'error'>, onCrash: () => void): void {
  let crashes = 0;
  let lines = 0;
  setInterval(() => {
    lines = 0;
  }, 60_000).unref();
  // Node passes promises that nothing waits for on to this event, too.
  process.on('uncaughtException', (thrown, origin) => {
    lines += 1;
    if (lines <= maxCrashLines) log.error('uncaught exception', { origin, stack: stackOf(thrown) });
    crashes += 1;
    if (crashes === 1) onCrash();
  });
  // The reader of the log may end first.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
