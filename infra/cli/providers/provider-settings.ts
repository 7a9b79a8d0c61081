/** Where an installation keeps what providers are called with: keys, addresses, projects. */
import type { AccountSettings } from '../../../lib/runtime/provider-access.ts';

/** A setting that is there; what it is, is never told. */
export interface KnownSetting {
  readonly account: string;
  readonly setting: string;
  /** Where it comes from. */
  readonly source: string;
}

export interface ProviderSettings {
  /**
   * Keeps a setting in place of an earlier one; resolves with where, and with when it takes effect. Rejects with
   * UsageError for a value that cannot be kept.
   */
  put(setting: {
    readonly account: string;
    readonly setting: string;
    readonly value: string;
  }): Promise<{ readonly place: string; readonly effect: string }>;
  /** Which settings of these accounts there are. */
  list(accounts: readonly AccountSettings[]): Promise<readonly KnownSetting[]>;
  /** What gives the gateway AWS credentials, which some providers take for a key; absent: nothing. */
  readonly awsCredentials?: string;
}
