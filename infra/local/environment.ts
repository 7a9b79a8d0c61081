/**
 * The environment of the functions on this machine: where their tables are, and which providers are real. What the
 * user has set always stands; only what is missing is filled in.
 */
import { isWellFormedApiKey } from '../../lib/core/api-key.ts';
import { tables } from '../../lib/core/tables.ts';
import { tableNames } from './database.ts';
import { takesAwsCredentials } from './providers.ts';
import type { SandboxRoute } from './sandbox/server.ts';

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

function chooseKind(variables: Variables, provider: string): ProviderChoice['kind'] {
  const prefix = variablePrefix(provider);
  if (variables[`${prefix}_UPSTREAM_URL`]) return 'upstream';
  if (providerKey(variables, provider)) return 'real';
  return takesAwsCredentials.has(provider) && hasAwsCredentials(variables) ? 'real' : 'sandbox';
}

/**
 * The provider's own key. A gateway's key under the same name was meant for a client of this gateway, which reads
 * `OPENAI_API_KEY` too.
 */
function providerKey(variables: Variables, provider: string): string | undefined {
  const key = variables[`${variablePrefix(provider)}_API_KEY`];
  return key && !isWellFormedApiKey(key) ? key : undefined;
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
  const upstreams = chooseProviders(variables, routes).flatMap(({ provider, kind }) => {
    const prefix = variablePrefix(provider);
    const base = routes.find((route) => route.provider === provider)?.base ?? '';
    if (kind === 'sandbox') {
      return [
        [`${prefix}_UPSTREAM_URL`, `${sandboxUrl}${base}`],
        [`${prefix}_API_KEY`, 'sandbox'],
      ];
    }
    // A proxy may hold the key by itself; without one here the gateway would not even try.
    const keyless =
      kind === 'upstream' && !providerKey(variables, provider) && !takesAwsCredentials.has(provider);
    return keyless ? [[`${prefix}_API_KEY`, 'local']] : [];
  });
  return {
    ...Object.fromEntries(tableNames.map((name) => [tables[name].environmentVariable, name])),
    DYNAMODB_ENDPOINT: databaseEndpoint,
    AWS_REGION: variables.AWS_REGION || 'us-east-1',
    // The local database wants any credentials at all.
    ...(!hasAwsCredentials(variables) && { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }),
    ...Object.fromEntries(upstreams),
  };
}

function hasAwsCredentials(variables: Variables): boolean {
  return Boolean(variables.AWS_ACCESS_KEY_ID && variables.AWS_SECRET_ACCESS_KEY);
}

function variablePrefix(provider: string): string {
  return provider.toUpperCase().replaceAll('-', '_');
}
