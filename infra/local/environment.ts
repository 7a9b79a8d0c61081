/**
 * The environment of the functions on this machine: where their tables are, and which providers are real. What the
 * user has set always stands; only what is missing is filled in.
 */
import { isWellFormedApiKey } from '../../lib/core/api-key.ts';
import type { ProviderAccess } from '../../lib/core/ports.ts';
import { variableOf } from '../../lib/core/provider-variable.ts';
import { tables } from '../../lib/core/tables.ts';
import { settingsOf } from '../../lib/providers/provider.ts';
import { readVariables, toAccess } from '../../lib/runtime/provider-access.ts';
import { providers } from '../all-providers.ts';
import type { SandboxRoute } from '../sandbox/server.ts';
import { tableNames } from './database.ts';
import { placeholders, takesAwsCredentials } from './providers.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Who answers for a provider: itself, an upstream that the user has named, or the sandbox. */
export interface ProviderChoice {
  readonly provider: string;
  readonly kind: 'real' | 'upstream' | 'sandbox';
}

export function chooseProviders(
  variables: Variables,
  routes: readonly SandboxRoute[],
): readonly ProviderChoice[] {
  return routes.map(({ provider }) => ({ provider, kind: chooseKind(variables, provider) }));
}

function chooseKind(variables: Variables, name: string): ProviderChoice['kind'] {
  const provider = providers.get(name);
  const access = accessOf(variables, name);
  const configured = provider?.isConfigured(access) ?? false;
  // Where each account has a base URL of its own, naming it is no detour.
  if (access.baseUrl !== undefined && (provider?.baseUrl || !configured)) return 'upstream';
  return configured || (takesAwsCredentials.has(name) && hasAwsCredentials(variables)) ? 'real' : 'sandbox';
}

/**
 * What the user has set for a provider. A gateway's key under the name of the provider's was meant for a client of this
 * gateway, which reads `OPENAI_API_KEY` too.
 */
function accessOf(variables: Variables, name: string): ProviderAccess {
  const provider = providers.get(name);
  const { account, settings } = provider ? settingsOf(provider) : { account: name, settings: [] };
  const { apiKey, ...access } = toAccess(readVariables(variables, account, settings));
  refuseBadAddress(variableOf(account, 'base-url'), access.baseUrl);
  return { ...access, ...(apiKey !== undefined && !isWellFormedApiKey(apiKey) && { apiKey }) };
}

/** Told at the start, where it can be seen: a request could only say that something failed. */
function refuseBadAddress(variable: string, address: string | undefined): void {
  if (address === undefined || /^https?:$/.test(URL.parse(address)?.protocol ?? '')) return;
  throw new Error(`${variable} must be a URL that starts with http:// or https://.`);
}

interface Places {
  readonly sandboxUrl: string;
  readonly databaseEndpoint: string;
}

/** What the functions need beside what the user has set. */
export function completeEnvironment(
  variables: Variables,
  routes: readonly SandboxRoute[],
  { sandboxUrl, databaseEndpoint }: Places,
): Readonly<Record<string, string>> {
  const upstreams = routes.flatMap(({ provider, base }) =>
    completeProvider(variables, provider, `${sandboxUrl}${base}`),
  );
  return {
    ...Object.fromEntries(tableNames.map((name) => [tables[name].environmentVariable, name])),
    DYNAMODB_ENDPOINT: databaseEndpoint,
    AWS_REGION: variables.AWS_REGION || 'us-east-1',
    // The local database wants any credentials at all.
    ...(!hasAwsCredentials(variables) && { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }),
    ...Object.fromEntries(upstreams),
  };
}

/** What is missing for a provider that the sandbox plays, or an upstream that the user has named. */
function completeProvider(variables: Variables, provider: string, sandboxUrl: string): [string, string][] {
  const kind = chooseKind(variables, provider);
  if (kind === 'real') return [];
  const access = accessOf(variables, provider);
  const stand = placeholders[provider] ?? {};
  const missing = Object.entries(stand).filter(([name]) => access.settings[name] === undefined);
  const filled = missing.map(([name, value]): [string, string] => [variableOf(provider, name), value]);
  const key = variableOf(provider, 'api-key');
  if (kind === 'sandbox') {
    const played: [string, string] = [variableOf(provider, 'sandbox'), 'true'];
    return [...filled, [variableOf(provider, 'base-url'), sandboxUrl], [key, 'sandbox'], played];
  }
  // A proxy may hold the key by itself; without one here the gateway would not even try.
  const complete = { ...access, settings: { ...stand, ...access.settings } };
  const keyless = !providers.get(provider)?.isConfigured(complete) && !takesAwsCredentials.has(provider);
  return keyless ? [...filled, [key, 'local']] : filled;
}

function hasAwsCredentials(variables: Variables): boolean {
  return Boolean(variables.AWS_ACCESS_KEY_ID && variables.AWS_SECRET_ACCESS_KEY);
}
