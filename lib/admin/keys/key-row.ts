/** A key as people see it: everything but its secret. */
import { type StoredApiKey, works } from '../../stores/access/keys.ts';
import { cacheRow } from '../cache-fields.ts';
import { dataPolicyRow } from '../data-policy-fields.ts';
import { etagOf } from '../etag.ts';
import { limitsRow } from '../limit-fields.ts';
import type { KeyRow } from './schema.ts';

/** `now`: Unix milliseconds. */
export function keyRow(key: StoredApiKey, now: number): KeyRow {
  const settings = settingsOf(key);
  return {
    object: 'key',
    id: key.id,
    tenant: key.tenant,
    family: key.family ?? null,
    status: statusOf(key, now),
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt ?? null,
    ...settings,
    etag: etagOf({ id: key.id, ...settings }),
  };
}

/** What people decide: the part of a key that the audit log has, and that its tag names. */
export const settingsOf = (key: StoredApiKey) => ({
  name: key.name ?? null,
  owner: key.owner ?? null,
  expires_at: key.expiresAt ?? null,
  disabled_at: key.disabledAt ?? null,
  limits: limitsRow(key.limits),
  models: key.models ? [...key.models] : null,
  operations: key.operations ? [...key.operations] : null,
  data_policy: dataPolicyRow(key.dataPolicy),
  cache: cacheRow(key.cache),
  guardrails: key.guardrailIds ? [...key.guardrailIds] : null,
});

export function statusOf(key: StoredApiKey, now: number): KeyRow['status'] {
  if (works(key, now)) return 'active';
  return key.disabledAt === undefined ? 'expired' : 'disabled';
}
