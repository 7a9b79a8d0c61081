/** Opens the gateway's account with a provider for a batch form: authorized calls, each as long as it takes. */
import { hash } from 'node:crypto';
import type { FindEndpoint } from '../../core/ports/aws.ts';
import type { HttpRequest, Send, Timeouts } from '../../core/ports/http.ts';
import type { ProviderAccess } from '../../core/ports/provider-access.ts';
import { createEndpoints } from '../../transport/aws/aws-endpoints.ts';
import { missingCredentials, type Provider, rootOf } from '../provider.ts';
import type { BatchAccount } from './batch-form.ts';

interface AccountOptions {
  readonly provider: Provider;
  readonly access: ProviderAccess;
  readonly region: string;
  readonly send: Send;
  /** Absent: those of files, which take long. */
  readonly timeouts?: Timeouts;
  readonly signal?: AbortSignal;
}

/** The first byte of an answer comes when a whole file has arrived, and was checked. */
const fileTimeouts: Timeouts = { connectMs: 10_000, firstByteMs: 300_000, idleMs: 60_000 };

/** Throws GatewayError `upstream_credentials` where the provider is not configured. */
export function openBatchAccount(options: AccountOptions): BatchAccount {
  const { provider, access, region, send, timeouts = fileTimeouts, signal } = options;
  if (!provider.isConfigured(access)) throw missingCredentials();
  const root = rootOf(provider, region, access);
  return {
    root,
    region,
    account: hash('sha256', JSON.stringify([root, access.apiKey, access.settings])),
    settings: access.settings,
    isSandbox: access.sandbox === true,
    endpointOf: endpointsOf(access, root, region),
    async request(method, path, { headers = {}, body, service } = {}) {
      const url = path.startsWith('/') ? `${root}${path}` : path;
      const request: HttpRequest = { method, url, headers, ...(body !== undefined && { body }) };
      const authorized = service
        ? await sign(access, request, { service, region })
        : await provider.authorize(request, access, region);
      return await send(authorized, { timeouts, ...(signal && { signal }) });
    },
  };
}

type Signer = NonNullable<ProviderAccess['sign']>;

async function sign({ sign: signed }: ProviderAccess, ...parts: Parameters<Signer>): Promise<HttpRequest> {
  if (!signed) throw missingCredentials();
  return await signed(...parts);
}

/** The sandbox of a provider in AWS has the services that it uses beside it. */
function endpointsOf({ sandbox, endpointOf }: ProviderAccess, root: string, region: string): FindEndpoint {
  if (sandbox) return (service) => `${root}/${service}`;
  return endpointOf ?? createEndpoints(region);
}
