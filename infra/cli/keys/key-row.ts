/** A key as commands show it: everything but its secret, which is shown only when the key is created. */
import { type CreatedApiKey, type StoredApiKey, works } from '../../../lib/stores/access/keys.ts';
import type { Row } from '../output/rows.ts';
import { timeOf } from '../output/show.ts';
import { tenancyRow } from '../tenants/tenancy-options.ts';

export function keyRow(key: StoredApiKey): Row {
  return {
    id: key.id,
    tenant: key.tenant,
    name: key.name ?? null,
    status: statusOf(key),
    created_at: timeOf(key.createdAt),
    last_used_at: timeOf(key.lastUsedAt),
    expires_at: timeOf(key.expiresAt),
    disabled_at: timeOf(key.disabledAt),
    ...tenancyRow(key),
  };
}

/** A new key, with its secret as `key`. */
export const newKeyRow = (made: CreatedApiKey): Row => ({ key: made.secret, ...keyRow(made) });

function statusOf(key: StoredApiKey): string {
  if (works(key, Date.now())) return 'active';
  return key.disabledAt === undefined ? 'expired' : 'disabled';
}
