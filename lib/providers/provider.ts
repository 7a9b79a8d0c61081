/**
 * What a provider is: who it is and how it differs. The wire itself is a protocol; a provider is a few lines of
 * composition over one.
 */
import { GatewayError } from '../core/errors.ts';
import type { HttpRequest, ProviderAccess } from '../core/ports.ts';
import type { GenerationProtocol } from '../core/protocol.ts';
import type { RuleSet } from '../normalization/rule.ts';

/** Adds what the provider wants to see of us to a request. */
export type Authorize = (
  request: HttpRequest,
  access: ProviderAccess,
  region: string,
) => HttpRequest | Promise<HttpRequest>;

export interface Generation {
  readonly protocol: GenerationProtocol;
  /** Whether the provider fetches images by URL; for one that does not, the gateway fetches them. */
  readonly takesImageUrls: boolean;
  readonly rules: RuleSet;
}

export interface Provider {
  readonly name: string;
  /** The documented base URL, up to and with its version segment. */
  readonly baseUrl: (region: string) => string;
  readonly authorize: Authorize;
  /** Absent for a provider that does not generate text. */
  readonly generation?: Generation;
}

/** Authorization by a key in one header, written by `format`. */
export function keyHeader(
  name: string,
  format: (key: string) => string = (key) => key,
  others: Readonly<Record<string, string>> = {},
): Authorize {
  return (request, access) => {
    if (!access.apiKey) throw missingCredentials();
    return { ...request, headers: { ...request.headers, ...others, [name]: format(access.apiKey) } };
  };
}

export const bearer = (key: string): string => `Bearer ${key}`;

export function missingCredentials(): GatewayError {
  return new GatewayError('upstream_credentials', 'The gateway holds no credentials for this provider.');
}
