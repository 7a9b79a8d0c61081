/** Makes keys, and changes them. Each change has one record in the audit log. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { invalid } from '../../core/errors/invalid.ts';
import type { KeyChange } from '../../stores/access/key-edits.ts';
import type { CreatedApiKey, StoredApiKey } from '../../stores/access/keys.ts';
import { recordChange } from '../audit/record-change.ts';
import { requireMatch } from '../etag.ts';
import { limitsAfter, requireCountable, tenancyOf } from '../limit-fields.ts';
import { requireProviders } from '../policy-providers.ts';
import { keyNotFound, refusalOf, requireKey, requireTenant, tenantNotFound } from '../reach.ts';
import { seedKeyBudgets } from '../seed-budgets.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import { keyRow, settingsOf } from './key-row.ts';
import { boundedNumber } from './number-of-keys.ts';
import {
  type CreatedKeyAnswer,
  defaultOverlapSeconds,
  type KeyRow,
  type KeysChangeInput,
  type KeysCreateInput,
  type KeysRotateInput,
  keyPath,
  keysChangeInput,
  keysCreateInput,
  keysRotateInput,
  type RotatedKeyAnswer,
} from './schema.ts';
import {
  boundsAfter,
  requireAsOthers,
  requireKept,
  requirePolicies,
  requireWithin,
} from './within-bounds.ts';

interface OfKey {
  readonly key: string;
}

/** The tenant must exist: a mistyped name must not make one, which would have no limits. */
export async function createKey(
  parts: SubjectParts,
  user: User,
  input: KeysCreateInput,
): Promise<CreatedKeyAnswer> {
  const { tenant = user.tenant, name, expires_at: expiresAt } = input;
  if (tenant === undefined) throw refusalOf('tenant', "Missing required parameter: 'tenant'.");
  requireTenant(user, tenant);
  requireOwn(user, input.owner);
  requireFuture(expiresAt, parts.now());
  const subject = await parts.tenants.find(tenant);
  if (!subject) throw tenantNotFound(tenant);
  const change = tenancyOf(input);
  requireWithin(user, subject, change);
  requirePolicies(user, subject, change);
  await requireProviders(parts.hosts, change);
  const owner = user.role === 'member' ? user.id : input.owner;
  requireCountable({}, change.limits);
  const limits = limitsAfter({}, change.limits);
  const bounds = boundsAfter(user, undefined, { ...change, expiresAt: expiresAt ?? null });
  const key = {
    tenant,
    ...(name && { name }),
    ...(owner && { owner }),
    ...(expiresAt && { expiresAt }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(change.models && { models: change.models }),
    ...(change.operations && { operations: change.operations }),
    ...(change.dataPolicy && { dataPolicy: change.dataPolicy }),
    ...(change.cache && { cache: change.cache }),
    ...(change.guardrailIds && { guardrailIds: change.guardrailIds }),
    ...(bounds && { adminBounds: bounds }),
  };
  const isFew = boundedNumber(user, key.owner, parts.now());
  const check =
    isFew &&
    ((keys: readonly StoredApiKey[]) => {
      isFew(keys);
      requireAsOthers(user, keys, change);
    });
  const made = await parts.keyEdits.create(key, check);
  await recordChange(parts, user, 'keys.create', { tenant, target: made.id, after: settingsOf(made) });
  return createdRow(made, parts.now());
}

const createdRow = ({ secret, isTenantNew: _, ...key }: CreatedApiKey, now: number): CreatedKeyAnswer => ({
  ...keyRow(key, now),
  key: secret,
});

export async function changeKey(
  parts: SubjectParts,
  user: User,
  { key: id, ...input }: KeysChangeInput & OfKey,
  ifMatch?: string,
): Promise<KeyRow> {
  requireOwn(user, input.owner);
  requireFuture(input.expires_at, parts.now());
  const found = await parts.keyEdits.find(id);
  if (!found) throw keyNotFound(id);
  const change: KeyChange = {
    ...tenancyOf(input),
    ...(input.name !== undefined && { name: input.name }),
    ...(input.owner !== undefined && { owner: input.owner }),
    ...(input.expires_at !== undefined && { expiresAt: input.expires_at }),
  };
  const allow = allowed(parts, user, ifMatch);
  allow(found);
  const isBound = user.role !== 'operator' || change.guardrailIds;
  const subject = isBound ? await parts.tenants.find(found.tenant) : undefined;
  if (subject) {
    requireWithin(user, subject, change);
    requirePolicies(user, subject, change);
  }
  requireCountable(found.limits, change.limits);
  await requireProviders(parts.hosts, change);
  await seedKeyBudgets(parts, found, change.limits ?? {});
  const edited = await parts.keyEdits.edit(id, (key) => {
    allow(key);
    requireKept(user, key, change);
    return { ...change, adminBounds: boundsAfter(user, key.adminBounds, change) };
  });
  if (!edited) throw keyNotFound(id);
  await recordChange(parts, user, 'keys.change', changed(edited));
  return keyRow(edited.after, parts.now());
}

/** A key that is disabled already keeps its time. */
export async function disableKey(
  parts: SubjectParts,
  user: User,
  { key: id }: OfKey,
  ifMatch?: string,
): Promise<KeyRow> {
  const edited = await parts.keyEdits.disable(id, allowed(parts, user, ifMatch));
  if (!edited) throw keyNotFound(id);
  await recordChange(parts, user, 'keys.disable', changed(edited));
  return keyRow(edited.after, parts.now());
}

/** A key that works keeps working. One of a later version of the gateway stays disabled. */
export async function enableKey(
  parts: SubjectParts,
  user: User,
  { key: id }: OfKey,
  ifMatch?: string,
): Promise<KeyRow> {
  const edited = await parts.keyEdits.enable(id, allowed(parts, user, ifMatch), ({ owner }) =>
    boundedNumber(user, owner, parts.now()),
  );
  if (!edited) throw keyNotFound(id);
  await recordChange(parts, user, 'keys.enable', changed(edited));
  return keyRow(edited.after, parts.now());
}

export async function rotateKey(
  parts: SubjectParts,
  user: User,
  { key: id, overlap_seconds: overlap = defaultOverlapSeconds }: KeysRotateInput & OfKey,
  ifMatch?: string,
): Promise<RotatedKeyAnswer> {
  const allow = allowed(parts, user, ifMatch);
  const rotated = await parts.keyEdits.rotate(id, overlap, allow, ({ owner }) =>
    boundedNumber(user, owner, parts.now()),
  );
  if (!rotated) throw keyNotFound(id);
  const { made, until } = rotated;
  const after = { ...settingsOf(made), replaces: id, old_key_works_until: until };
  await recordChange(parts, user, 'keys.rotate', { tenant: made.tenant, target: made.id, after });
  return { ...createdRow(made, parts.now()), replaced: { id, expires_at: until } };
}

const allowed =
  ({ now }: SubjectParts, user: User, ifMatch: string | undefined) =>
  (key: StoredApiKey): void => {
    requireKey(user, key);
    requireMatch(ifMatch, keyRow(key, now()).etag, `The key ${key.id}`);
  };

const changed = ({ before, after }: { before: StoredApiKey; after: StoredApiKey }) => ({
  tenant: after.tenant,
  target: after.id,
  before: settingsOf(before),
  after: settingsOf(after),
});

function requireOwn({ role, id }: User, owner: string | null | undefined): void {
  if (role !== 'member' || owner === undefined || owner === id) return;
  throw refusalOf(
    'owner',
    "A member can create keys only for themselves: leave 'owner' out, or set it to your own ID.",
  );
}

function requireFuture(seconds: number | null | undefined, now: number): void {
  if (typeof seconds !== 'number' || seconds * 1000 > now) return;
  throw invalid('expires_at', 'must be a time in the future, in Unix seconds');
}

/** `POST /admin/v1/keys` */
export const createEndpoint = (parts: SubjectParts) => endpointOf(parts, nothing, keysCreateInput, createKey);

/** `PATCH /admin/v1/keys/{key}` */
export const changeEndpoint = (parts: SubjectParts) => endpointOf(parts, keyPath, keysChangeInput, changeKey);

/** `POST /admin/v1/keys/{key}/disable` */
export const disableEndpoint = (parts: SubjectParts) => endpointOf(parts, keyPath, nothing, disableKey);

/** `POST /admin/v1/keys/{key}/enable` */
export const enableEndpoint = (parts: SubjectParts) => endpointOf(parts, keyPath, nothing, enableKey);

/** `POST /admin/v1/keys/{key}/rotate` */
export const rotateEndpoint = (parts: SubjectParts) => endpointOf(parts, keyPath, keysRotateInput, rotateKey);
