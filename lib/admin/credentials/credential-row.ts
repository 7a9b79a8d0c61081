/** A credential as people see it: everything but its secret. */
import type { CredentialUse, StoredCredential } from '../../stores/access/credentials.ts';
import type { CredentialRow } from './schema.ts';

const unused = { last_used_at: null, last_failed_at: null, last_failure: null };

/** `position`: among those of its provider, from 0. */
export const rowOf = (stored: StoredCredential, position: number, use?: CredentialUse): CredentialRow => ({
  object: 'credential',
  id: stored.id,
  tenant: stored.tenant,
  provider: stored.account,
  name: stored.name ?? null,
  status: stored.disabledAt === undefined ? 'active' : 'disabled',
  position,
  fallback: stored.fallback,
  models: stored.models ? [...stored.models] : null,
  keys: stored.keys ? [...stored.keys] : null,
  collects_data: stored.collectsData ?? null,
  retains_data: stored.retainsData ?? null,
  settings: stored.shown,
  last4: stored.last4,
  fingerprint: stored.fingerprint,
  created_at: stored.createdAt,
  ...unused,
  ...use,
});

/** The part of it that the audit log has. */
export const auditedOf = ({ object: _, id: __, tenant: ___, created_at: ____, ...row }: CredentialRow) => row;
