/** The settings of a new credential: checked, with nothing that could lead a request anywhere but to the provider. */
import { hash } from 'node:crypto';
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { hostFaultOf, ownAccess, ownSettingsOf } from '../../providers/own-settings.ts';
import { type Provider, settingsOf } from '../../providers/provider.ts';
import { readSettingValue } from '../providers/store-setting.ts';

type Settings = Readonly<Record<string, string>>;

const secrets: readonly string[] = ['api-key', 'credentials'];

/** Characters of all of them together: what KMS encrypts at once, with room for their names. */
const maxLength = 4_000;
/** Of a shorter secret, none of its characters are shown. */
const shownFrom = 12;

/** Throws GatewayError `invalid_request` that names the setting. */
export function readOwnSettings(provider: Provider, given: Settings): Settings {
  const { account } = settingsOf(provider);
  const known = ownSettingsOf(provider);
  if (known.length === 0) {
    const message = `Provider '${provider.name}' takes no keys of tenants: its address is the operator's.`;
    throw new GatewayError('invalid_request', message, { param: 'provider' });
  }
  const settings = Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, readOne(name, text, known)] as const),
  );
  if (
    !provider.isConfigured(ownAccess(account, settings, undefined)) ||
    !secrets.some((name) => settings[name])
  )
    throw invalid('settings', `must have what ${account} needs, of: ${known.join(', ')}`);
  if (JSON.stringify(settings).length > maxLength)
    throw invalid('settings', `must have at most ${maxLength} characters together`);
  return settings;
}

function readOne(name: string, text: string, known: readonly string[]): string {
  const param = `settings.${name}`;
  if (!known.includes(name)) throw invalid(param, `is not one of: ${known.join(', ')}`);
  let value: string;
  try {
    value = readSettingValue(name, text);
  } catch (error) {
    throw error instanceof GatewayError ? error.with({ param }) : error;
  }
  const fault = hostFaultOf(name, value);
  if (fault !== undefined) throw invalid(param, fault);
  return name === 'credentials' ? plainAccount(param, value) : value;
}

const tokenUrl = 'https://oauth2.googleapis.com/token';

/** Of a service account's key, what signs. A token is only asked for at Google's own address. */
function plainAccount(param: string, text: string): string {
  const { client_email, private_key, private_key_id, token_uri = tokenUrl } = asObject(parseJson(text));
  if (token_uri !== tokenUrl) throw invalid(param, `must have the token_uri ${tokenUrl}`);
  return JSON.stringify({ client_email, private_key, private_key_id });
}

/** What people may see of them. */
export function shownOf(tenant: string, settings: Settings) {
  const secret = secrets.flatMap((name) => settings[name] ?? [])[0] ?? '';
  const isKey = settings['api-key'] !== undefined;
  return {
    last4: isKey && secret.length >= shownFrom ? secret.slice(-4) : '',
    fingerprint: hash('sha256', JSON.stringify([tenant, secret])).slice(0, 12),
    shown: Object.fromEntries(Object.entries(settings).filter(([name]) => !secrets.includes(name))),
  };
}
