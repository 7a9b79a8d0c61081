/** The cache that all processes share. */

/**
 * A cache of short texts that all processes share, until they expire. A failed read or write is a cache miss: no method
 * rejects.
 */
export interface SharedCache {
  /** `isFresh`: as it is in the database, and not as this process remembers it. */
  find(key: string, options?: { readonly isFresh: boolean }): Promise<string | undefined>;
  /** Expires after `lifetimeMs`. */
  set(key: string, text: string, lifetimeMs: number): Promise<void>;
  delete(key: string): Promise<void>;
  /** True for one caller, until `lifetimeMs` have passed or the key is deleted. False as well where the database fails. */
  claim(key: string, lifetimeMs: number): Promise<boolean>;
}
