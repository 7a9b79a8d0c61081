/** Lists of keys, and one key. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { useOfKey } from '../limit-use.ts';
import { hasText } from '../list-schema.ts';
import { pageOf } from '../page-of.ts';
import { keyNotFound, reachedOwner, reachedTenant, requireKey } from '../reach.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import { keyRow, statusOf } from './key-row.ts';
import {
  defaultKeyPage,
  type KeyAnswer,
  type KeysListAnswer,
  type KeysListQuery,
  keyPath,
  keysListQuery,
} from './schema.ts';

type ReadParts = Pick<SubjectParts, 'keyEdits' | 'tenants' | 'limits' | 'now'>;

/** `GET /admin/v1/keys` */
export const listEndpoint = (parts: ReadParts) => endpointOf(parts, keysListQuery, nothing, listKeys);

export async function listKeys(
  { keyEdits, now }: ReadParts,
  user: User,
  { limit = defaultKeyPage, after, status, search, ...asked }: KeysListQuery,
): Promise<KeysListAnswer> {
  const tenant = reachedTenant(user, asked.tenant);
  const keys = await keyEdits.list({ tenant, owner: reachedOwner(user, asked.owner) });
  const time = now();
  const listed = keys.filter(
    (key) =>
      hasText(search, [key.id, key.name, key.owner]) &&
      (status === undefined || statusOf(key, time) === status),
  );
  const { page, ...rest } = pageOf(listed, ({ id }) => id, { after, limit });
  return { object: 'list', data: page.map((key) => keyRow(key, time)), ...rest };
}

/** `GET /admin/v1/keys/{key}` */
export const retrieveEndpoint = (parts: ReadParts) => endpointOf(parts, keyPath, nothing, retrieveKey);

export async function retrieveKey(
  parts: ReadParts,
  user: User,
  { key: id }: { readonly key: string },
): Promise<KeyAnswer> {
  const key = await parts.keyEdits.find(id);
  if (!key) throw keyNotFound(id);
  requireKey(user, key);
  const tenant = key.limits && (await parts.tenants.find(key.tenant));
  return { ...keyRow(key, parts.now()), use: [...(await useOfKey(parts, key, tenant))] };
}
