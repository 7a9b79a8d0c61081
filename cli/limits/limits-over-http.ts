/** The limits of a key or a tenant, and their use, as the dashboard's API has them. */
import { limitTable } from '../../lib/admin/limit-fields.ts';
import type { LimitUseAnswer } from '../../lib/admin/tenancy-schema.ts';
import type { CallAdmin } from '../call-admin.ts';
import type { Row } from '../output/listing.ts';
import { timeOf } from '../output/show.ts';

/** For a key, its own limits and those of its tenant apply. */
export async function limitsOverHttp(call: CallAdmin, name: string): Promise<readonly Row[]> {
  if (!/^key_[0-9a-f]{12}$/.test(name)) return await ofTenant(call, name);
  const { tenant, use } = await call('admin-keys-retrieve', { key: name });
  return [...rowsOf('key', name, use), ...(await ofTenant(call, tenant))];
}

async function ofTenant(call: CallAdmin, tenant: string): Promise<readonly Row[]> {
  const { use } = await call('admin-tenants-retrieve', { tenant });
  return rowsOf('tenant', tenant, use);
}

/** The use of a limit that is not set is unknown. */
function rowsOf(of: string, id: string, use: readonly LimitUseAnswer[]): readonly Row[] {
  const unset = { set: null, used: null, held: null, left: null, resets_at: null };
  return limitTable.map(({ field }) => {
    const found = use.find(({ limit }) => limit === field);
    if (!found) return { of, id, limit: field, ...unset };
    const { set, used, held, left, resets_at: end } = found;
    return { of, id, limit: field, set, used, held, left, resets_at: timeOf(end) };
  });
}
