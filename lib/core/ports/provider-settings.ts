/** Where an installation stores provider settings: keys, base URLs, projects. */

/** The account whose settings a provider uses, and their names. */
export interface AccountSettings {
  readonly account: string;
  readonly settings: readonly string[];
  /** Whether an AWS signature is enough, without any of them. */
  readonly maySign?: boolean;
}

/** A setting that has a value. The value is never shown. */
export interface KnownSetting {
  readonly account: string;
  readonly setting: string;
  /** Where it is stored. */
  readonly source: string;
  /** When it was stored, in Unix seconds; absent: unknown. */
  readonly storedAt?: number;
  /** Why the value cannot work, to be read after `source`. */
  readonly fault?: string;
}

export interface ProviderSettings {
  /**
   * Stores a setting; resolves with its location and when it takes effect. Rejects with GatewayError
   * `invalid_request` for a value that cannot be stored.
   */
  put(setting: {
    readonly account: string;
    readonly setting: string;
    readonly value: string;
  }): Promise<{ readonly location: string; readonly effect: string }>;
  /**
   * Removes a stored setting; undefined: none is stored. Rejects with GatewayError `invalid_request` for one that the environment sets, and
   * that would be used on.
   */
  remove(setting: {
    readonly account: string;
    readonly setting: string;
  }): Promise<{ readonly location: string; readonly effect: string } | undefined>;
  /** The settings of these accounts that have a value. */
  list(accounts: readonly AccountSettings[]): Promise<readonly KnownSetting[]>;
  /** Where the gateway's AWS credentials come from, which some providers accept instead of a key; absent: none. */
  readonly awsCredentials?: string;
}
