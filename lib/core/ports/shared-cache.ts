/** The cache that all processes share. */

/**
 * A cache of short texts that all processes share, until they expire. A failed read or write is a cache miss: no method
 * rejects.
 */
export interface SharedCache {
  find(key: string): Promise<string | undefined>;
  /** Expires after `lifetimeMs`. */
  set(key: string, text: string, lifetimeMs: number): Promise<void>;
  delete(key: string): Promise<void>;
}
