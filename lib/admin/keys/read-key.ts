/** Lists of keys, and one key. */

import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { Person } from '../../core/admin/person.ts';
import { endpointOf } from '../holder-endpoint.ts';
import type { HolderParts } from '../holder-parts.ts';
import { useOfKey } from '../limit-use.ts';
import { pageOf } from '../page-of.ts';
import { keyNotFound, reachedOwner, reachedTenant, requireKey } from '../reach.ts';
import { keyRow, statusOf } from './key-row.ts';
import {
  type KeyAnswer,
  type KeysListAnswer,
  type KeysListQuery,
  keyPath,
  keysListQuery,
  usualKeyPage,
} from './schema.ts';

type ReadParts = Pick<HolderParts, 'keyEdits' | 'tenants' | 'limits' | 'now'>;

/** `GET /admin/v1/keys` */
export const listEndpoint = (parts: ReadParts) => endpointOf(parts, keysListQuery, nothing, listKeys);

export async function listKeys(
  { keyEdits, now }: ReadParts,
  person: Person,
  { limit = usualKeyPage, after, status, ...asked }: KeysListQuery,
): Promise<KeysListAnswer> {
  const tenant = reachedTenant(person, asked.tenant);
  const keys = await keyEdits.list({ tenant, owner: reachedOwner(person, asked.owner) });
  const time = now();
  const listed = status === undefined ? keys : keys.filter((key) => statusOf(key, time) === status);
  const { page, ...rest } = pageOf(listed, ({ id }) => id, { after, limit });
  return { object: 'list', data: page.map((key) => keyRow(key, time)), ...rest };
}

/** `GET /admin/v1/keys/{key}` */
export const retrieveEndpoint = (parts: ReadParts) => endpointOf(parts, keyPath, nothing, retrieveKey);

export async function retrieveKey(
  parts: ReadParts,
  person: Person,
  { key: id }: { readonly key: string },
): Promise<KeyAnswer> {
  const key = await parts.keyEdits.find(id);
  if (!key) throw keyNotFound(id);
  requireKey(person, key);
  const tenant = key.limits && (await parts.tenants.find(key.tenant));
  return { ...keyRow(key, parts.now()), use: [...(await useOfKey(parts, key, tenant))] };
}
