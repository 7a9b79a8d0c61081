/** Stores a setting of a provider where the gateway reads it. The value is never read back, and
 * neither an error nor the audit record has it. */
import type { AuditAuthor } from '../../core/accounting/audit.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { ProviderSettings } from '../../core/ports/provider-settings.ts';
import { loadAllProviders } from '../../providers/registry.ts';
import type { HostStore } from '../../stores/catalog/hosts.ts';
import { type AuditParts, recordChange } from '../audit/record-change.ts';
import { findProvider } from './every-provider.ts';
import type { ProvidersSetAnswer } from './schema.ts';
import { accountOf, readSettingValue } from './setting-value.ts';

export interface SettingParts extends AuditParts {
  readonly settings: Pick<ProviderSettings, 'put'>;
  readonly hosts: Pick<HostStore, 'get'>;
}

export interface GivenSetting {
  readonly provider: string;
  readonly setting: string;
  readonly value: string;
}

/** Rejects with GatewayError `invalid_request` for an unknown provider or setting, and for a value that cannot work. */
export async function storeSetting(
  parts: SettingParts,
  by: AuditAuthor,
  { provider: name, setting, value: text }: GivenSetting,
): Promise<ProvidersSetAnswer> {
  const { settings, hosts } = parts;
  const provider = await findProvider(hosts, name);
  if (!provider) throw await unknownProvider(name);
  const account = accountOf(provider, setting);
  const value = readSettingValue(setting, text);
  const stored = await settings.put({ account, setting, value });
  const target = `${name}/${setting}`;
  await recordChange(parts, { by, action: 'providers.set', target, after: { value: 'set' } });
  return { object: 'provider.setting', provider: name, account, setting, ...stored };
}

async function unknownProvider(name: string): Promise<GatewayError> {
  const names = [...(await loadAllProviders()).keys()];
  const message = `Unknown provider: ${name}. The providers are: ${names.join(', ')}`;
  return new GatewayError('invalid_request', message, { param: 'provider' });
}
