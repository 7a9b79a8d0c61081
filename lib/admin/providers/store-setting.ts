/**
 * `PUT /admin/v1/providers/{provider}/settings/{setting}`: stores a setting of a provider where the gateway reads it. The value is
 * never read back, and neither an error nor the audit record has it.
 */
import type { AuditAuthor } from '../../core/accounting/audit.ts';
import type { GatewayError } from '../../core/errors/errors.ts';
import { hasApiKeyPrefix } from '../../core/names/api-key.ts';
import type { ProviderSettings } from '../../core/ports/provider-settings.ts';
import { type Provider, settingsOf } from '../../providers/provider.ts';
import { faultOf } from '../../providers/provider-problems.ts';
import { loadAllProviders } from '../../providers/registry.ts';
import type { HostStore } from '../../stores/catalog/hosts.ts';
import { type AuditParts, recordChange } from '../audit/record-change.ts';
import { refusalOf } from '../reach.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { findProvider } from './provider-states.ts';
import { maxSettingValue, type ProvidersSetAnswer, providersSetInput, providersSetPath } from './schema.ts';

interface SettingParts extends AuditParts {
  readonly settings: Pick<ProviderSettings, 'put'>;
  readonly hosts: Pick<HostStore, 'get'>;
}

export interface GivenSetting {
  readonly provider: string;
  readonly setting: string;
  readonly value: string;
}

export const providersSetEndpoint = (parts: SettingParts) =>
  endpointOf(parts, providersSetPath, providersSetInput, storeSetting);

/** Rejects with GatewayError `invalid_request` for an unknown provider or setting, and for a value that cannot work. */
export async function storeSetting(
  parts: SettingParts,
  by: AuditAuthor,
  { provider: name, setting, value: text }: GivenSetting,
): Promise<ProvidersSetAnswer> {
  const { settings, hosts } = parts;
  const account = await findAccount(hosts, { provider: name, setting });
  const value = readSettingValue(setting, text);
  const stored = await settings.put({ account, setting, value });
  const target = `${name}/${setting}`;
  await recordChange(parts, by, 'providers.set', { target, after: { value: 'set' } });
  return { object: 'provider.setting', provider: name, account, setting, ...stored };
}

/** The account of a setting of the provider with this name. Throws GatewayError `invalid_request` for an unknown provider or setting. */
export async function findAccount(
  hosts: Pick<HostStore, 'get'>,
  { provider: name, setting }: Omit<GivenSetting, 'value'>,
): Promise<string> {
  const provider = await findProvider(hosts, name);
  if (!provider) throw await unknownProvider(name);
  return accountOf(provider, setting);
}

export async function unknownProvider(name: string): Promise<GatewayError> {
  const names = [...(await loadAllProviders()).keys()];
  const message = `Unknown provider: ${name}. The providers are: ${names.join(', ')}`;
  return refusalOf('provider', message);
}

/** The account of a setting. Throws GatewayError `invalid_request` for a setting that the provider does not have. */
export function accountOf(provider: Provider, setting: string): string {
  const { account, settings } = settingsOf(provider);
  if (settings.includes(setting)) return account;
  const message = `Unknown setting of ${provider.name}: ${setting}. Its settings are: ${settings.join(', ')}`;
  throw refusalOf('setting', message);
}

const nouns: Readonly<Record<string, string>> = { 'api-key': 'key' };

/** The value as it is stored. Throws GatewayError `invalid_request` for one that cannot work. */
export function readSettingValue(setting: string, text: string): string {
  const noun = nouns[setting] ?? setting;
  const value = text.trim();
  if (value === '') throw wrong(`The ${noun} is empty.`);
  if (value.length > maxSettingValue)
    throw wrong(`The ${noun} is longer than ${maxSettingValue} characters.`);
  if (setting === 'credentials') return checked(setting, compact(value));
  if (/\s/.test(value)) throw wrong(`The ${noun} contains a space.`);
  if (hasApiKeyPrefix(value)) {
    throw wrong('This is an API key of the gateway (mgw_...), not of a provider.');
  }
  if (setting === 'base-url' && !isWebAddress(value))
    throw wrong('The base-url must start with http:// or https://.');
  return checked(setting, value);
}

/** What the local gateway refuses at its start, and what no provider accepts. */
function checked(setting: string, value: string): string {
  const fault = faultOf(setting, value);
  if (fault !== undefined) throw wrong(`The value of ${setting} ${fault}.`);
  return value;
}

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** Credentials are a JSON file; whitespace is removed. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    // The parser's own message would quote the credentials.
    throw wrong('The credentials are not valid JSON.');
  }
}

const wrong = (message: string) => refusalOf('value', message);
