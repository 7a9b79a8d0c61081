/** A tenant's own credential for a provider: what a request needs to know of it. What it consists of is sealed. */

/** What is called when a credential fails: nothing, or what the gateway itself has an account with. */
export const credentialFallbacks = ['none', 'shared'] as const;
type CredentialFallback = (typeof credentialFallbacks)[number];

export interface Credential {
  /** It is not secret. Another secret has another id. */
  readonly id: string;
  readonly tenant: string;
  /** The account whose settings it has: a provider's name, which others may share. */
  readonly account: string;
  readonly fallback: CredentialFallback;
  /** Its settings, encrypted. */
  readonly sealed: string;
  /** Ids of models, or `owner/*`, that it is for; absent: all. */
  readonly models?: readonly string[];
  /** Ids of the tenant's API keys that it is for; absent: all. */
  readonly keys?: readonly string[];
  /** By the tenant's contract with the provider; absent: as the provider documents it. What the catalog says is of the gateway's. */
  readonly collectsData?: boolean;
  readonly retainsData?: boolean;
}

/** What a sealed text is of: it opens for nothing else. */
export type SealedFor = Pick<Credential, 'id' | 'tenant' | 'account'>;

/** Credentials of one account, the first ones used first. */
export const maxCredentials = 10;
/** Accounts that a tenant has credentials for: a hundred credentials in all. */
export const maxOwnProviders = 10;

/** The prefix of the partition keys of a tenant's credentials for one account, and of their use, in the table `access`. */
export const credentialItemPrefix = 'credential#';
export const credentialUsePrefix = 'credential-use#';

/** The attributes of its use that functions may update. */
export const credentialUseAttributes = ['last_used_at', 'last_failed_at', 'last_failure'] as const;
