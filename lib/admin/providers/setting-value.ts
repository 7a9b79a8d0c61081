/** The setting of a provider that someone stores: which account has it, and what its value must be. Never quotes a value. */

import { GatewayError } from '../../core/errors/errors.ts';
import { hasApiKeyPrefix } from '../../core/names/api-key.ts';
import { type Provider, settingsOf } from '../../providers/provider.ts';
import { faultOf } from '../../providers/provider-problems.ts';
import { maxSettingValue } from './schema.ts';

/** The account of a setting. Throws GatewayError `invalid_request` for a setting that the provider does not have. */
export function accountOf(provider: Provider, setting: string): string {
  const { account, settings } = settingsOf(provider);
  if (settings.includes(setting)) return account;
  const message = `Unknown setting of ${provider.name}: ${setting}. Its settings are: ${settings.join(', ')}`;
  throw new GatewayError('invalid_request', message, { param: 'setting' });
}

const nouns: Readonly<Record<string, string>> = { 'api-key': 'key' };

/** The value as it is stored. Throws GatewayError `invalid_request` for one that cannot work. */
export function readSettingValue(setting: string, text: string): string {
  const noun = nouns[setting] ?? setting;
  const value = text.trim();
  if (value === '') throw invalid(`The ${noun} is empty.`);
  if (value.length > maxSettingValue)
    throw invalid(`The ${noun} is longer than ${maxSettingValue} characters.`);
  if (setting === 'credentials') return checked(setting, compact(value));
  if (/\s/.test(value)) throw invalid(`The ${noun} contains a space.`);
  if (hasApiKeyPrefix(value)) {
    throw invalid('This is an API key of the gateway (mgw_...), not of a provider.');
  }
  if (setting === 'base-url' && !isWebAddress(value))
    throw invalid('The base-url must start with http:// or https://.');
  return checked(setting, value);
}

/** What the local gateway refuses at its start, and what no provider accepts. */
function checked(setting: string, value: string): string {
  const fault = faultOf(setting, value);
  if (fault !== undefined) throw invalid(`The value of ${setting} ${fault}.`);
  return value;
}

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** Credentials are a JSON file; whitespace is removed. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    // The parser's own message would quote the credentials.
    throw invalid('The credentials are not valid JSON.');
  }
}

const invalid = (message: string) => new GatewayError('invalid_request', message, { param: 'value' });
