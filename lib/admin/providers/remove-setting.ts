/** `DELETE /admin/v1/providers/{provider}/settings/{setting}`: removes what was stored. What the environment sets stays. */
import type { AuditAuthor } from '../../core/accounting/audit.ts';
import { nothing } from '../../core/admin/admin-endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { ProviderSettings } from '../../core/ports/provider-settings.ts';
import type { HostStore } from '../../stores/catalog/hosts.ts';
import { type AuditParts, recordChange } from '../audit/record-change.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { type ProvidersRemoveAnswer, providersSetPath } from './schema.ts';
import { findAccount } from './store-setting.ts';

interface RemoveParts extends AuditParts {
  readonly settings: Pick<ProviderSettings, 'remove'>;
  readonly hosts: Pick<HostStore, 'get'>;
}

export interface NamedSetting {
  readonly provider: string;
  readonly setting: string;
}

export const providersRemoveEndpoint = (parts: RemoveParts) =>
  endpointOf(parts, providersSetPath, nothing, removeSetting);

/** Rejects with GatewayError `not_found` where nothing is stored, and `invalid_request` for an unknown provider or setting. */
export async function removeSetting(
  parts: RemoveParts,
  by: AuditAuthor,
  { provider: name, setting }: NamedSetting,
): Promise<ProvidersRemoveAnswer> {
  const account = await findAccount(parts.hosts, { provider: name, setting });
  const removed = await parts.settings.remove({ account, setting });
  if (!removed) {
    const message = `Nothing is stored as ${setting} of ${account}.`;
    throw new GatewayError('not_found', message, { param: 'setting' });
  }
  const target = `${name}/${setting}`;
  await recordChange(parts, by, 'providers.remove', { target, before: { value: 'set' } });
  return { object: 'provider.setting', provider: name, account, setting, ...removed, deleted: true };
}
