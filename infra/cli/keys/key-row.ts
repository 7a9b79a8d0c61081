/** A key as commands show it: everything but its secret, which is shown only when the key is created. */
import { keyRow as shownKey } from '../../../lib/admin/keys/key-row.ts';
import type { CreatedKeyAnswer, KeyRow } from '../../../lib/admin/keys/schema.ts';
import type { StoredApiKey } from '../../../lib/stores/access/keys.ts';
import type { Row } from '../output/rows.ts';
import { timeOf } from '../output/show.ts';

export const keyRow = (key: StoredApiKey): Row => rowOf(shownKey(key, Date.now()));

/** A new key, with its secret as `key`. */
export const newKeyRow = (made: CreatedKeyAnswer): Row => ({ key: made.key, ...rowOf(made) });

const rowOf = (key: KeyRow): Row => ({
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
