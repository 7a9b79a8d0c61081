/** Management keys of programs. No one makes one that may do more than the maker. Each change has one record in the audit log. */

import { nothing } from '../../core/admin/admin-endpoint.ts';
import { adminOperations } from '../../core/admin/admin-operations.ts';
import type { Role, User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { daySeconds } from '../../core/time.ts';
import type {
  ManagementKeyPlace,
  ManagementKeyStore,
  StoredManagementKey,
} from '../../stores/access/management-keys.ts';
import type { TenantStore } from '../../stores/access/tenants.ts';
import { type AuditParts, recordChange } from '../audit/record-change.ts';
import { reachedTenant, refusalOf } from '../reach.ts';
import { tenantOfRole } from '../role-bounds.ts';
import { endpointOf } from '../subject-endpoint.ts';
import {
  type CreatedManagementKeyAnswer,
  defaultManagementKeyDays,
  defaultManagementKeyPage,
  type ManagementKeyRevokedAnswer,
  type ManagementKeyRow,
  type ManagementKeysCreateInput,
  type ManagementKeysListAnswer,
  type ManagementKeysListQuery,
  managementKeyPath,
  managementKeysCreateInput,
  managementKeysListQuery,
  maxManagementKeyDays,
  maxManagementKeys,
} from './schema.ts';

interface ManagementKeyParts extends AuditParts {
  readonly managementKeys: ManagementKeyStore;
  readonly tenants: Pick<TenantStore, 'find'>;
}

interface OfKey {
  readonly management_key: string;
}

/** `GET /admin/v1/management-keys` */
export const listEndpoint = (parts: ManagementKeyParts) =>
  endpointOf(parts, managementKeysListQuery, nothing, listManagementKeys);

/** Of one tenant or, for operators, of all and of none. */
export async function listManagementKeys(
  { managementKeys, now }: ManagementKeyParts,
  user: User,
  { limit = defaultManagementKeyPage, after, tenant }: ManagementKeysListQuery,
): Promise<ManagementKeysListAnswer> {
  const asked = {
    tenant: reachedTenant(user, tenant),
    after: after === undefined ? undefined : placeOf(after),
  };
  const keys = await managementKeys.newest({ ...asked, limit: limit + 1 });
  const page = keys.slice(0, limit);
  const last = page.at(-1);
  const hasMore = keys.length > limit;
  return {
    object: 'list',
    data: page.map((key) => rowOf(key, now())),
    has_more: hasMore,
    next_after: hasMore && last ? `${last.createdAt}.${last.id}` : null,
  };
}

/** Of a cursor. The key at it may be gone. */
function placeOf(cursor: string): ManagementKeyPlace {
  const [, createdAt, id] = /^(\d{1,12})\.(mkey_[0-9a-f]{12})$/.exec(cursor) ?? [];
  if (createdAt === undefined || id === undefined)
    throw refusalOf('after', "'after' must be the 'next_after' of a page of this list.");
  return { createdAt: Number(createdAt), id };
}

/** `GET /admin/v1/management-keys/{management_key}` */
export const retrieveEndpoint = (parts: ManagementKeyParts) =>
  endpointOf(parts, managementKeyPath, nothing, retrieveManagementKey);

async function retrieveManagementKey(
  parts: ManagementKeyParts,
  user: User,
  { management_key: id }: OfKey,
): Promise<ManagementKeyRow> {
  return rowOf(await reachedKey(parts, user, id), parts.now());
}

/** `POST /admin/v1/management-keys` */
export const createEndpoint = (parts: ManagementKeyParts) =>
  endpointOf(parts, nothing, managementKeysCreateInput, createManagementKey);

export async function createManagementKey(
  parts: ManagementKeyParts,
  user: User,
  input: ManagementKeysCreateInput,
): Promise<CreatedManagementKeyAnswer> {
  const { managementKeys, now } = parts;
  const { name, role, operations } = input;
  const tenant = await tenantOfRole(parts, user, input);
  requireOperations(user, role, operations ?? undefined);
  const { secret, ...made } = await managementKeys.create({
    name,
    role,
    ...(tenant !== undefined && { tenant }),
    ...(operations && { operations }),
    expiresAt: expiryOf(user, input.expires_at, Math.floor(now() / 1000)),
    createdBy: { id: user.id, name: user.name },
  });
  await requireFew(managementKeys, made);
  const after = settingsOf(made);
  await recordChange(parts, user, 'management_keys.create', { tenant, target: made.id, after });
  return { ...rowOf(made, now()), key: secret };
}

/** `DELETE /admin/v1/management-keys/{management_key}` */
export const revokeEndpoint = (parts: ManagementKeyParts) =>
  endpointOf(parts, managementKeyPath, nothing, revokeManagementKey);

export async function revokeManagementKey(
  parts: ManagementKeyParts,
  user: User,
  { management_key: id }: OfKey,
): Promise<ManagementKeyRevokedAnswer> {
  await reachedKey(parts, user, id);
  const removed = await parts.managementKeys.remove(id);
  if (!removed) throw notFound(id);
  const before = settingsOf(removed);
  await recordChange(parts, user, 'management_keys.revoke', { tenant: removed.tenant, target: id, before });
  return { object: 'management_key', id, deleted: true };
}

/** A key of another tenant does not exist for the user. */
async function reachedKey({ managementKeys }: ManagementKeyParts, user: User, id: string) {
  const key = await managementKeys.find(id);
  if (!key || (user.role !== 'operator' && key.tenant !== user.tenant)) throw notFound(id);
  return key;
}

/** What the role may call and, for a key that makes another, what that one may. */
function requireOperations({ managementKey: own }: User, role: Role, asked: readonly string[] | undefined) {
  const refused = asked?.find(
    (name) => !adminOperations.some((one) => one.name === name && one.roles?.includes(role)),
  );
  if (refused !== undefined)
    throw invalid('operations', `names what the role '${role}' may not call: ${refused}`);
  if (!own?.operations) return;
  const further = asked?.find((name) => !own.operations?.includes(name));
  if (asked && further === undefined) return;
  throw invalid(
    'operations',
    'must name operations of the management key that makes this one, and no others',
  );
}

function expiryOf({ managementKey: own }: User, asked: number | undefined, now: number): number {
  const latest = Math.min(
    now + maxManagementKeyDays * daySeconds,
    own?.expiresAt ?? Number.POSITIVE_INFINITY,
  );
  if (asked === undefined) return Math.min(now + defaultManagementKeyDays * daySeconds, latest);
  if (asked <= now) throw invalid('expires_at', 'must be a time in the future, in Unix seconds');
  if (asked <= latest) return asked;
  const whose = own ? ', and not after the end of the key that makes it' : '';
  throw invalid('expires_at', `must be at most ${maxManagementKeyDays} days ahead${whose}`);
}

/** Of several at once, each sees those that were made before its look: together they never pass the maximum. */
async function requireFew(keys: ManagementKeyStore, { id, tenant }: StoredManagementKey): Promise<void> {
  const all = await keys.list(tenant ?? null);
  if (all.length <= maxManagementKeys) return;
  await keys.remove(id);
  const whose = tenant === undefined ? 'Operators' : 'A tenant';
  const message = `${whose} may have at most ${maxManagementKeys} management keys. Revoke one that is no longer used.`;
  throw new GatewayError('conflict', message);
}

/** What people decide: the part that the audit log has. */
const settingsOf = ({ name, role, operations, expiresAt }: StoredManagementKey) => ({
  name,
  role,
  operations: operations ? [...operations] : null,
  expires_at: expiresAt,
});

const rowOf = (key: StoredManagementKey, now: number): ManagementKeyRow => ({
  object: 'management_key',
  id: key.id,
  tenant: key.tenant ?? null,
  ...settingsOf(key),
  status: key.expiresAt * 1000 > now ? 'active' : 'expired',
  created_at: key.createdAt,
  created_by: key.createdBy,
});

const notFound = (id: string) =>
  new GatewayError('not_found', `Management key not found: ${id}.`, { param: 'management_key' });
