/**
 * The environment of the functions on this machine: where their tables are, and which providers are real. Variables that
 * the user has set are never replaced; only missing ones are added.
 */

import type { ProviderAccess } from '../lib/core/ports/provider-access.ts';
import {
  placeholderCredentials,
  readVariables,
  toAccess,
  variableOf,
} from '../lib/core/provider-settings.ts';
import { tableNames, tables } from '../lib/core/tables.ts';
import { providers } from '../lib/providers/all-providers.ts';
import { type Provider, settingsOf } from '../lib/providers/provider.ts';
import { faultOf, missingSettings } from '../lib/providers/provider-problems.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import type { SandboxRoute } from '../sandbox/server.ts';
import { placeholders, sandboxSettings, takesAwsCredentials } from './providers.ts';

/**
 * What answers for a provider: the provider itself, an upstream that the user has set, or the sandbox; nothing for a host
 * of the operator's own without its key, since it has no sandbox.
 */
export interface ProviderChoice {
  readonly provider: string;
  readonly kind: 'real' | 'upstream' | 'sandbox' | 'nothing';
  /** Why it is not called for real although the user has set something. */
  readonly reason?: string;
}

export function chooseProviders(
  variables: Variables,
  routes: readonly SandboxRoute[],
): readonly ProviderChoice[] {
  return routes.map(({ provider }) => {
    const kind = chooseKind(variables, provider);
    const reason = kind === 'sandbox' ? problemOf(variables, provider) : undefined;
    return { provider, kind, ...(reason !== undefined && { reason }) };
  });
}

function chooseKind(variables: Variables, name: string): ProviderChoice['kind'] {
  const provider = providers.get(name);
  const access = accessOf(variables, name);
  const configured = provider?.isConfigured(access) ?? false;
  // A provider without a documented base URL is real at the URL that the user has set.
  if (access.baseUrl !== undefined && (provider?.baseUrl || !configured)) return 'upstream';
  return configured || (takesAwsCredentials.has(name) && hasAwsCredentials(variables)) ? 'real' : 'sandbox';
}

/**
 * What the user has set for a provider, without values that cannot work. A gateway key in `OPENAI_API_KEY`, for example,
 * was meant for a client of this gateway, which reads the same variable.
 */
function accessOf(variables: Variables, name: string): ProviderAccess {
  const { account, given } = settingsIn(variables, name);
  const access = toAccess(Object.fromEntries(given.filter(([setting, value]) => !faultOf(setting, value))));
  refuseBadUrl(variableOf(account, 'base-url'), access.baseUrl);
  return access;
}

function settingsIn(variables: Variables, name: string) {
  const provider: Provider | undefined = providers.get(name);
  const { account, settings } = provider ? settingsOf(provider) : { account: name, settings: [] };
  return { provider, account, given: Object.entries(readVariables(variables, account, settings)) };
}

/** Why a provider is not called for real although the user has set something for it. */
function problemOf(variables: Variables, name: string): string | undefined {
  const { provider, account, given } = settingsIn(variables, name);
  for (const [setting, value] of given) {
    const fault = faultOf(setting, value);
    if (fault !== undefined) return `${variableOf(account, setting)} ${fault}`;
  }
  const missing = provider ? missingSettings(provider, Object.fromEntries(given)) : [];
  if (missing.length === 0) return undefined;
  return `${missing.map((setting) => variableOf(account, setting)).join(' or ')} is missing`;
}

/** Reported at the start: a request could only report that something failed. */
function refuseBadUrl(variable: string, url: string | undefined): void {
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? '')) return;
  throw new Error(`${variable} must be a URL that starts with http:// or https://.`);
}

interface Endpoints {
  readonly sandboxUrl: string;
  readonly databaseEndpoint: string;
  /** Where the bytes of files are, unless the user has set it. */
  readonly filesDirectory: string;
  /** Where the secret of the installation is, unless the user has set it. */
  readonly secretFile: string;
}

/** The variables that the functions need in addition to those of the user. */
export function completeEnvironment(
  variables: Variables,
  routes: readonly SandboxRoute[],
  { sandboxUrl, databaseEndpoint, filesDirectory, secretFile }: Endpoints,
): Readonly<Record<string, string>> {
  const upstreams = routes.flatMap(({ provider, base }) =>
    completeProvider(variables, provider, `${sandboxUrl}${base}`),
  );
  return {
    ...Object.fromEntries(tableNames.map((name) => [tables[name].environmentVariable, name])),
    DYNAMODB_ENDPOINT: databaseEndpoint,
    GATEWAY_FILES_DIRECTORY: variables.GATEWAY_FILES_DIRECTORY || filesDirectory,
    GATEWAY_SECRET_FILE: variables.GATEWAY_SECRET_FILE || secretFile,
    AWS_REGION: variables.AWS_REGION || 'us-east-1',
    GATEWAY_DASHBOARD_SUMS: variables.GATEWAY_DASHBOARD_SUMS || 'on',
    // The sandbox of Bedrock requires a signature, but of no one in particular.
    ...(!hasAwsCredentials(variables) && {
      AWS_ACCESS_KEY_ID: placeholderCredentials,
      AWS_SECRET_ACCESS_KEY: placeholderCredentials,
    }),
    ...Object.fromEntries(upstreams),
  };
}

/** The missing variables of a provider that the sandbox or an upstream of the user answers for. */
function completeProvider(variables: Variables, provider: string, sandboxUrl: string): [string, string][] {
  const kind = chooseKind(variables, provider);
  if (kind === 'real') return [];
  const access = accessOf(variables, provider);
  const defaults = placeholders[provider] ?? {};
  const missing = Object.entries(defaults).filter(([name]) => access.settings[name] === undefined);
  const filled = missing.map(([name, value]): [string, string] => [variableOf(provider, name), value]);
  const key = variableOf(provider, 'api-key');
  if (kind === 'sandbox') {
    const marked: [string, string] = [variableOf(provider, 'sandbox'), 'true'];
    const own = Object.entries(sandboxSettings[provider] ?? {});
    return [
      ...filled,
      ...own.map(([name, value]): [string, string] => [variableOf(provider, name), value]),
      [variableOf(provider, 'base-url'), sandboxUrl],
      [key, 'sandbox'],
      marked,
    ];
  }
  // A proxy may have the key itself. Without any key, the gateway would not call it.
  const complete = { ...access, settings: { ...defaults, ...access.settings } };
  const keyless = !providers.get(provider)?.isConfigured(complete) && !takesAwsCredentials.has(provider);
  return keyless ? [...filled, [key, 'local']] : filled;
}

function hasAwsCredentials(variables: Variables): boolean {
  return Boolean(variables.AWS_ACCESS_KEY_ID && variables.AWS_SECRET_ACCESS_KEY);
}
