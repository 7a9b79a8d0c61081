/** What a look at the calls of providers leaves to the next one. */

/** How many calls were counted, and how many of them failed by the provider's fault. */
export interface Calls {
  readonly attempts: number;
  readonly failures: number;
}

/** Times are in Unix milliseconds. */
export interface ProviderWatch {
  /** When was looked. */
  readonly at: number;
  /** By provider: those of that hour until then, and of the one before. */
  readonly calls: Readonly<Record<string, Calls>>;
  /** Since when providers fail, and when that was seen last. */
  readonly failing: Readonly<Record<string, { readonly since: number; readonly seenAt: number }>>;
}

export interface WatchStore {
  /** What the last look has left; undefined where that was less than `pauseMs` ago. It counts as a look. Before the first one, nothing fails. */
  start(pauseMs: number): Promise<ProviderWatch | undefined>;
  end(watch: ProviderWatch): Promise<void>;
}
