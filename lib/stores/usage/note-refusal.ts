/**
 * Keeps refused requests for their callers to find, not all of them where they are many: of a key and an error, a process writes the
 * first of each minute and counts the others, so that whoever is refused all the time costs little.
 */
import { withTimeout } from '../../async/with-timeout.ts';
import type { NoteRefusal, Refusal } from '../../core/accounting/refusal.ts';
import type { GatewayError } from '../../core/errors/errors.ts';
import { minuteMs } from '../../core/time.ts';
import { createLru } from '../lru.ts';
import type { RefusalStore } from './refusals.ts';

interface Window {
  /** Unix milliseconds. */
  readonly begun: number;
  written: number;
  /** Of those that were not written. */
  pending: number;
}

/** Of a key and an error in a minute, and of all together. */
const maxAlike = 5;
const maxWritten = 120;

/** Keys with their errors that are counted at a time. */
const maxWindows = 1_000;

/** How long the end of a request waits for the write. */
const timeoutMs = 500;

interface RefusalParts {
  readonly store: Pick<RefusalStore, 'put'>;
  readonly now: () => number;
  readonly warn: (cause: unknown) => void;
}

export function createNoteRefusal({ store, now, warn }: RefusalParts): NoteRefusal {
  const windows = createLru<Window>(maxWindows);
  let all: Window = { begun: now(), written: 0, pending: 0 };
  /** Undefined for one that is only counted. */
  const pendingBefore = (key: string): number | undefined => {
    const known = windows.get(key);
    const window =
      known && isRecent(known) ? known : { begun: now(), written: 0, pending: known?.pending ?? 0 };
    windows.set(key, window);
    if (!isRecent(all)) all = { begun: now(), written: 0, pending: 0 };
    if (window.written >= maxAlike || all.written >= maxWritten) {
      window.pending += 1;
      return undefined;
    }
    const { pending } = window;
    window.written += 1;
    window.pending = 0;
    all.written += 1;
    return pending;
  };
  const isRecent = ({ begun }: Window) => Math.abs(now() - begun) < minuteMs;
  return async (request, error) => {
    const more = pendingBefore(`${request.key} ${request.error}`);
    if (more === undefined) return;
    const record = { ...request, attempts: [], cost: 0, charge: 0 };
    const written = store.put({ record, more, ...shownOf(error) }).catch(warn);
    await withTimeout(written, timeoutMs, () => {});
  };
}

/** In characters. */
const maxShown = 500;

/** A message may quote the request: only names of fields and of models are shown of what it quotes. */
function shownOf({ message, param }: GatewayError): Pick<Refusal, 'message' | 'param'> {
  const shown = message.replace(/'([^']*)'/g, (quoted, text: string) =>
    text === param || isName.test(text) ? quoted : "'…'",
  );
  return {
    message: shown.slice(0, maxShown),
    ...(typeof param === 'string' && { param: isPath.test(param) ? param : '…' }),
  };
}

const isPath = /^[a-z0-9_.]{1,200}$/i;

/** The path of a field, which has two words at least, or the id of a model. */
const isName = /^([a-z]{1,24}([._][a-z0-9]{1,24}){1,6}|[a-z0-9-]{1,40}\/[a-z0-9._:-]{1,80})$/;
