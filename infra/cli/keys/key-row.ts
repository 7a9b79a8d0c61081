/** A key as it is listed: everything that is known of it, and never its secret. */
import { type StoredApiKey, works } from '../../../lib/stores/access/keys.ts';
import type { Row } from '../output/listing.ts';
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

function statusOf(key: StoredApiKey): string {
  if (works(key, Date.now())) return 'active';
  return key.disabledAt === undefined ? 'expired' : 'disabled';
}
