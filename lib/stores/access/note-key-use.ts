/** When keys were last used: written at most once a minute for each key by each environment, and never waited for long. */

import { withTimeout } from '../../async/with-timeout.ts';
import type { NoteKeyUse } from '../../core/ports.ts';
import type { KeyStore } from './keys.ts';

export interface NoteKeyUseOptions {
  readonly keys: Pick<KeyStore, 'noteUse'>;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly warn: (cause: unknown) => void;
  /** How long a request may wait for the write. */
  readonly timeoutMs?: number;
}

const size = 10_000;

export function createNoteKeyUse({ keys, now, warn, timeoutMs = 500 }: NoteKeyUseOptions): NoteKeyUse {
  const noted = new Map<string, number>();

  function remember(hash: string, minute: number): void {
    noted.delete(hash);
    noted.set(hash, minute);
    const [oldest] = noted.keys();
    if (noted.size > size && oldest !== undefined) noted.delete(oldest);
  }

  return async ({ hash }) => {
    const minute = Math.floor(now() / 60_000);
    if (noted.get(hash) === minute) return;
    // Before the write, so that requests at the same time make one; a write that fails is left to the next minute.
    remember(hash, minute);
    await withTimeout(keys.noteUse(hash, minute * 60).catch(warn), timeoutMs, () => {});
  };
}
