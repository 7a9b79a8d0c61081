/** Why a provider cannot be called although some of its settings are given. */
import { hasApiKeyPrefix } from '../core/names/api-key.ts';
import { toAccess } from '../core/provider-settings.ts';
import { isServiceAccount } from './google-vertex/token.ts';
import { type Provider, settingsOf } from './provider.ts';

type Settings = Readonly<Record<string, string>>;

/** Why a value cannot work, to be read after the name of its setting; undefined if it may. */
export function faultOf(setting: string, value: string): string | undefined {
  if (setting === 'api-key' && hasApiKeyPrefix(value)) return 'is an API key of this gateway';
  if (setting === 'credentials' && !isServiceAccount(value))
    return 'is not the JSON key of a service account';
  if (setting === 'api-key' && /[^\x20-\x7e]/.test(value))
    return 'has a character that no header can carry: only printable ASCII';
  if ((setting === 'project' || setting === 'location') && !/^[\w.:-]+$/.test(value))
    return 'may only have letters, digits, dots, colons, underscores and dashes';
  if (setting === 'batch-suffix' && !/^[\w.-]{1,40}$/.test(value))
    return 'may only have letters, digits, dots, underscores and dashes';
  if (setting === 'batch-bucket' && !/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/.test(value))
    return 'is not the name of a bucket';
  if (setting === 'batch-role' && !/^arn:[\w-]+:iam::\d{12}:role\/\S+$/.test(value))
    return 'is not the ARN of a role';
  return undefined;
}

/** The settings of which one is missing; empty if the provider is configured, or has no settings at all. */
export function missingSettings(provider: Provider, given: Settings): readonly string[] {
  const { settings } = settingsOf(provider);
  if (!settings.some((name) => given[name] !== undefined) || provider.isConfigured(toAccess(given)))
    return [];
  return settings.filter((name) => provider.isConfigured(toAccess({ ...given, [name]: 'set' })));
}
