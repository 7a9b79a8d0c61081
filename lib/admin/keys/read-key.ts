/** Lists of keys, and one key. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { limitedKey, useOfKey } from '../limit-use.ts';
import { hasText } from '../list-schema.ts';
import { spendOfKeys, spendOfOne } from '../month-spend.ts';
import { keyNotFound, reachedOwner, reachedTenant, requireKey } from '../reach.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import { subjectPage } from '../subject-list.ts';
import { keyRow, statusOf } from './key-row.ts';
import {
  defaultKeyPage,
  type KeyAnswer,
  type KeysListAnswer,
  type KeysListQuery,
  keyPath,
  keysListQuery,
} from './schema.ts';

type ReadParts = Pick<SubjectParts, 'keyEdits' | 'tenants' | 'limits' | 'sums' | 'now'>;

/** `GET /admin/v1/keys` */
export const listEndpoint = (parts: ReadParts) => endpointOf(parts, keysListQuery, nothing, listKeys);

export async function listKeys(
  parts: ReadParts,
  user: User,
  {
    limit = defaultKeyPage,
    after,
    status,
    search,
    include,
    sort = 'created',
    order,
    ...asked
  }: KeysListQuery,
): Promise<KeysListAnswer> {
  const tenant = reachedTenant(user, asked.tenant);
  const keys = await parts.keyEdits.list({ tenant, owner: reachedOwner(user, asked.owner) });
  const time = parts.now();
  const listed = keys.filter(
    (key) =>
      hasText(search, [key.id, key.name, key.owner]) &&
      (status === undefined || statusOf(key, time) === status),
  );
  const query = { include, limit, after, sort, order: order ?? (sort === 'name' ? 'asc' : 'desc') } as const;
  const { page, ...rest } = await subjectPage(parts, listed, query, {
    idOf: ({ id }) => id,
    limitedOf: limitedKey,
    values: {
      created: ({ createdAt }) => createdAt,
      name: ({ name, id }) => name ?? id,
      last_used: ({ lastUsedAt }) => lastUsedAt,
    },
    readSpend: () => spendOfKeys(parts, tenant, seesCost(user)),
  });
  const data = page.map(({ item, money }) => ({ ...keyRow(item, time), ...money }));
  return { object: 'list', data, ...rest };
}

const seesCost = ({ role }: User) => role === 'operator';

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
  const [use, spend] = await Promise.all([
    useOfKey(parts, key, tenant),
    spendOfOne(parts, { tenant: key.tenant, key: id }, seesCost(user)),
  ]);
  return { ...keyRow(key, parts.now()), spend, use: [...use] };
}
