/** A key as commands show it: everything but its secret, which is shown only when the key is created. */
import type { CreatedKeyAnswer, KeyRow } from '../../lib/admin/keys/schema.ts';
import type { Row } from '../output/rows.ts';
import { timeOf } from '../output/show.ts';

/** A new key, with its secret as `key`. */
export const newKeyRow = (made: CreatedKeyAnswer): Row => ({ key: made.key, ...keyRow(made) });

export const keyRow = (key: KeyRow): Row => ({
  id: key.id,
  tenant: key.tenant,
  name: key.name,
  status: key.status,
  created_at: timeOf(key.created_at),
  last_used_at: timeOf(key.last_used_at ?? undefined),
  expires_at: timeOf(key.expires_at ?? undefined),
  disabled_at: timeOf(key.disabled_at ?? undefined),
  ...key.limits,
  models: key.models,
  operations: key.operations,
});
