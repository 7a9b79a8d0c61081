/** The settings of a provider, as they are given by name, and what a call needs of them. */

import type { ProviderAccess } from './ports/provider-access.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type Settings = Readonly<Record<string, string>>;

/** Both parts of the AWS credentials that a local gateway gives the sandbox of a provider that wants a signature. */
export const placeholderCredentials = 'local';

/** The settings in environment variables; a blank one counts as unset. Any provider may have a base URL. */
export function readVariables(variables: Variables, account: string, settings: readonly string[]): Settings {
  const found = [...settings, 'base-url', 'sandbox'].flatMap((name) => {
    const value = variables[variableOf(account, name)]?.trim();
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}

export function toAccess(found: Settings): ProviderAccess {
  const { 'api-key': apiKey, 'base-url': baseUrl, sandbox, ...settings } = found;
  return {
    ...(sandbox === 'true' && { sandbox: true }),
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseUrl: baseUrl.replace(/(?<!\/)\/+$/, '') }),
    settings,
  };
}

/** The variable of a setting, for example `ANTHROPIC_API_KEY`. */
export function variableOf(account: string, setting: string): string {
  const name = setting === 'base-url' ? 'upstream-url' : setting;
  return `${account}-${name}`.toUpperCase().replaceAll('-', '_');
}

/**
 * The parameter with the secret of a stack: in a path of its own below that of the providers' settings, so that who may read it need
 * not read those.
 */
export const secretPath = (prefix: string): string => `${prefix}/gateway`;
export const secretName = 'secret';
