/** The gateway's credentials for providers. */
import type { Credential } from '../credential.ts';
import type { FindEndpoint, Sign } from './aws.ts';

/** Finds the bearer token of a service account by the JSON text of its key. Rejects with GatewayError `upstream_credentials`. */
export type FindToken = (credentials: string) => Promise<string>;

/** The gateway's credentials and settings for a provider. */
export interface ProviderAccess {
  readonly apiKey?: string;
  /** Replaces the provider's documented base URL, up to and with its version segment. */
  readonly baseUrl?: string;
  /** True if the local sandbox replaces the provider. */
  readonly sandbox?: boolean;
  /** For providers with AWS signatures. */
  readonly sign?: Sign;
  /** For providers that are services of AWS; default: those of the documentation. */
  readonly endpointOf?: FindEndpoint;
  /** For providers with tokens of service accounts. */
  readonly findToken?: FindToken;
  /** The provider's other settings, by name. */
  readonly settings: Readonly<Record<string, string>>;
}

/** `credential`: a tenant's own, in place of the gateway's account. */
export type FindProviderAccess = (provider: string, credential?: Credential) => Promise<ProviderAccess>;
