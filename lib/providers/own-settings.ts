/**
 * The settings that a credential of a tenant's own may have for a provider. No address is among them: hosts are built from the name of
 * a resource, or a region, so that nothing that the gateway sends goes where a tenant says.
 */
import type { ProviderAccess } from '../core/ports/provider-access.ts';
import { toAccess } from '../core/provider-settings.ts';
import { type Provider, settingsOf } from './provider.ts';

type Settings = Readonly<Record<string, string>>;

/** What names an account's own host, in place of its base URL, by the account. */
const hosts: Readonly<Record<string, { readonly setting: string; readonly url: (name: string) => string }>> =
  {
    // Source: learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle, "https://YOUR-RESOURCE-NAME.openai.azure.com/openai/v1/".
    azure: { setting: 'resource', url: (name) => `https://${name}.openai.azure.com/openai/v1` },
  };

/** Whether an account is called at a host of its own. */
export const hasOwnHost = (account: string): boolean => Object.hasOwn(hosts, account);

/** Their names; none where a provider can be called only at an address of the operator's own. */
export function ownSettingsOf(provider: Provider): readonly string[] {
  const { account, settings } = settingsOf(provider);
  const host = hosts[account];
  const named = settings.filter((name) => name !== 'base-url' && !name.startsWith('batch-'));
  const all = host ? [...named, host.setting] : named;
  // Whether a provider is configured does not depend on the values.
  const given = Object.fromEntries(all.map((name) => [name, 'set']));
  return provider.isConfigured(ownAccess(account, given, undefined)) ? all : [];
}

/**
 * What a call with these settings needs. `shared`: how the gateway itself calls the provider: a proxy before it, or the sandbox, answers
 * for own credentials, too; its credentials and its signature never do.
 */
export function ownAccess(
  account: string,
  settings: Settings,
  shared: Pick<ProviderAccess, 'baseUrl' | 'sandbox' | 'endpointOf'> | undefined,
): ProviderAccess {
  const { sandbox, baseUrl, endpointOf } = shared ?? {};
  const host = hosts[account];
  const name = host && settings[host.setting];
  const own = name === undefined ? undefined : host?.url(name);
  const root = sandbox ? baseUrl : (own ?? (host ? undefined : baseUrl));
  return {
    ...toAccess({ ...settings, ...(root !== undefined && { 'base-url': root }) }),
    ...(sandbox && { sandbox }),
    ...(endpointOf && { endpointOf }),
  };
}

/** Why a value may be no part of a host; undefined if it may. Beside `faultOf`, which knows the gateway's own settings. */
export function hostFaultOf(setting: string, value: string): string | undefined {
  if (setting !== 'resource' && setting !== 'location') return undefined;
  if (/^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/i.test(value)) return undefined;
  return 'may only have letters, digits and dashes';
}
