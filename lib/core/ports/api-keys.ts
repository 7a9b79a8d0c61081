/** API keys: finding them and recording their use. */
import type { Limits, Permissions, TenantTerms } from '../tenancy.ts';

/** The facts about an API key that a request needs. */
export interface ApiKey {
  /** The key's name in logs and commands. It is not secret. */
  readonly id: string;
  /** For a rotated key, the id of the first one: all of them share their limits. */
  readonly family?: string;
  readonly tenant: string;
  /** The permissions and limits of the key, and of all keys of its tenant; absent: no restrictions. */
  readonly keyPolicy?: Permissions & { readonly limits?: Limits };
  readonly tenantPolicy?: Permissions & TenantTerms & { readonly limits?: Limits; readonly suspended?: true };
}

/** A key with its SHA-256, under which it is stored. The hash is not a credential. */
export interface FoundApiKey extends ApiKey {
  readonly hash: string;
}

/** Finds an API key. Undefined if it is unknown, disabled or expired. */
export type FindApiKey = (secret: string) => Promise<FoundApiKey | undefined>;

/** Records the last use of a key, to the minute. Never rejects, and takes at most half a second. Undefined: it is on record. */
export type NoteKeyUse = (key: FoundApiKey) => Promise<void> | undefined;
