/** What was read last, by address: it is shown at once while new data load. In memory only. */
import { type Signal, signal } from '@preact/signals';
import { asError } from './api-error.ts';

interface Entry {
  /** The last data, also while or after a further reading fails; undefined before the first. */
  readonly data: unknown;
  /** Of the last reading. */
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  /** When the data was read, in Unix seconds. */
  readonly readAt: number | undefined;
}

export type Load = (abort: AbortSignal) => Promise<unknown>;

const maxEntries = 80;

const unread: Entry = { data: undefined, error: undefined, isLoading: true, readAt: undefined };

/** One address. It is read while something shows it, once for all that do. */
export class Cached {
  readonly state: Signal<Entry> = signal(unread);
  #users = 0;
  #load: Load | undefined;
  #abort: AbortController | undefined;

  get isUsed(): boolean {
    return this.#users > 0;
  }

  /** Reads it, unless another user has just begun that. Returns what to call when it is no longer shown. */
  use(load: Load): () => void {
    this.#users += 1;
    this.#load = load;
    if (this.#users === 1) this.reload();
    return () => {
      this.#users -= 1;
      if (this.#users === 0) this.#abort?.abort();
    };
  }

  readonly reload = (): void => {
    this.#abort?.abort();
    this.#abort = new AbortController();
    if (this.#load) void this.#run(this.#load, this.#abort.signal);
  };

  /** Changes the data without reading. */
  set(change: (data: unknown) => unknown): void {
    this.state.value = { ...this.state.value, data: change(this.state.value.data) };
  }

  async #run(load: Load, abort: AbortSignal): Promise<void> {
    this.state.value = { ...this.state.value, isLoading: true };
    try {
      const data = await load(abort);
      const readAt = Date.now() / 1_000;
      if (!abort.aborted) this.state.value = { data, error: undefined, isLoading: false, readAt };
    } catch (thrown) {
      if (abort.aborted) return;
      this.state.value = { ...this.state.value, error: asError(thrown), isLoading: false };
    }
  }
}

const entries = new Map<string, Cached>();

/** The entry of an address; the one that was not asked for longest makes room. */
export function cached(address: string): Cached {
  const found = entries.get(address) ?? new Cached();
  entries.delete(address);
  entries.set(address, found);
  for (const [old, { isUsed }] of entries) {
    if (entries.size <= maxEntries) break;
    if (!isUsed && old !== address) entries.delete(old);
  }
  return found;
}

/** After a change: what begins with one of the paths is read again if it is shown, and otherwise forgotten. */
export function refresh(...paths: readonly string[]): void {
  for (const [address, entry] of entries) {
    if (!paths.some((path) => address.startsWith(path))) continue;
    if (entry.isUsed) entry.reload();
    else entries.delete(address);
  }
}

/** At sign-out. */
export function forgetAll(): void {
  entries.clear();
}
