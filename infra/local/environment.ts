/**
 * The environment of the functions on this machine: where their tables are, and which providers are real. Variables that
 * the user has set stay unchanged; only missing ones are added.
 */
import { isWellFormedApiKey } from '../../lib/core/api-key.ts';
import type { ProviderAccess } from '../../lib/core/ports.ts';
import { tables } from '../../lib/core/tables.ts';
import type { OperatorHost } from '../../lib/providers/operator-hosts.ts';
import { settingsOf } from '../../lib/providers/provider.ts';
import { readVariables, toAccess, variableOf } from '../../lib/runtime/provider-access.ts';
import { providers } from '../all-providers.ts';
import type { SandboxRoute } from '../sandbox/server.ts';
import { tableNames } from './database.ts';
import { placeholders, takesAwsCredentials } from './providers.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What answers for a provider: itself, an upstream that the user has named, or the sandbox. A host of the operator's own has
 * no sandbox: without its key it cannot be called.
 */
export interface ProviderChoice {
  readonly provider: string;
  readonly kind: 'real' | 'upstream' | 'sandbox' | 'keyless';
}

export function chooseHosts(variables: Variables, hosts: readonly OperatorHost[]): readonly ProviderChoice[] {
  return hosts.map(({ name, needsKey = true }) => {
    const isConfigured = !needsKey || Boolean(variables[variableOf(name, 'api-key')]);
    return { provider: name, kind: isConfigured ? 'real' : 'keyless' };
  });
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
  // Where each account has a base URL of its own, setting it is a part of the configuration.
  if (access.baseUrl !== undefined && (provider?.baseUrl || !configured)) return 'upstream';
  return configured || (takesAwsCredentials.has(name) && hasAwsCredentials(variables)) ? 'real' : 'sandbox';
}

/**
 * What the user has set for a provider. A key of the gateway itself in the provider's variable is meant for a client of
 * this gateway, which also reads `OPENAI_API_KEY`.
 */
function accessOf(variables: Variables, name: string): ProviderAccess {
  const provider = providers.get(name);
  const { account, settings } = provider ? settingsOf(provider) : { account: name, settings: [] };
  const { apiKey, ...access } = toAccess(readVariables(variables, account, settings));
  refuseBadAddress(variableOf(account, 'base-url'), access.baseUrl);
  return { ...access, ...(apiKey !== undefined && !isWellFormedApiKey(apiKey) && { apiKey }) };
}

/** Reported at the start, where it is seen: a request could only say that something failed. */
function refuseBadAddress(variable: string, address: string | undefined): void {
  if (address === undefined || /^https?:$/.test(URL.parse(address)?.protocol ?? '')) return;
  throw new Error(`${variable} must be a URL that starts with http:// or https://.`);
}

interface Endpoints {
  readonly sandboxUrl: string;
  readonly databaseEndpoint: string;
}

/** The variables that the functions need beside those that the user has set. */
export function completeEnvironment(
  variables: Variables,
  routes: readonly SandboxRoute[],
  { sandboxUrl, databaseEndpoint }: Endpoints,
): Readonly<Record<string, string>> {
  const upstreams = routes.flatMap(({ provider, base }) =>
    completeProvider(variables, provider, `${sandboxUrl}${base}`),
  );
  return {
    ...Object.fromEntries(tableNames.map((name) => [tables[name].environmentVariable, name])),
    DYNAMODB_ENDPOINT: databaseEndpoint,
    AWS_REGION: variables.AWS_REGION || 'us-east-1',
    // The local database requires credentials, and accepts any.
    ...(!hasAwsCredentials(variables) && { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }),
    ...Object.fromEntries(upstreams),
  };
}

/** The missing variables of a provider that the sandbox simulates, or of an upstream that the user has named. */
function completeProvider(variables: Variables, provider: string, sandboxUrl: string): [string, string][] {
  const kind = chooseKind(variables, provider);
  if (kind === 'real') return [];
  const access = accessOf(variables, provider);
  const defaults = placeholders[provider] ?? {};
  const missing = Object.entries(defaults).filter(([name]) => access.settings[name] === undefined);
  const filled = missing.map(([name, value]): [string, string] => [variableOf(provider, name), value]);
  const key = variableOf(provider, 'api-key');
  if (kind === 'sandbox') {
    const simulated: [string, string] = [variableOf(provider, 'sandbox'), 'true'];
    return [...filled, [variableOf(provider, 'base-url'), sandboxUrl], [key, 'sandbox'], simulated];
  }
  // A proxy may have the key itself; without any key here the gateway would not call it.
  const complete = { ...access, settings: { ...defaults, ...access.settings } };
  const keyless = !providers.get(provider)?.isConfigured(complete) && !takesAwsCredentials.has(provider);
  return keyless ? [...filled, [key, 'local']] : filled;
}

function hasAwsCredentials(variables: Variables): boolean {
  return Boolean(variables.AWS_ACCESS_KEY_ID && variables.AWS_SECRET_ACCESS_KEY);
}
