/** Records when keys were last used: at most one write per key, minute and process, with a short timeout. */

import { withTimeout } from '../../async/with-timeout.ts';
import type { NoteKeyUse } from '../../core/ports/api-keys.ts';
import { createLru } from '../lru.ts';
import type { KeyStore } from './keys.ts';

interface NoteKeyUseOptions {
  readonly keys: Pick<KeyStore, 'noteUse'>;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly warn: (cause: unknown) => void;
  /** How long a request may wait for the write. */
  readonly timeoutMs?: number;
}

/** Keys that one process remembers. */
const maxNotedKeys = 10_000;

export function createNoteKeyUse({ keys, now, warn, timeoutMs = 500 }: NoteKeyUseOptions): NoteKeyUse {
  const lastMinutes = createLru<number>(maxNotedKeys);
  return ({ hash }) => {
    const minute = Math.floor(now() / 60_000);
    if (lastMinutes.get(hash) === minute) return undefined;
    // Set before the write, so that concurrent requests make only one. A failed write is retried in the next minute.
    lastMinutes.set(hash, minute);
    return withTimeout(keys.noteUse(hash, minute * 60).catch(warn), timeoutMs, () => {});
  };
}
