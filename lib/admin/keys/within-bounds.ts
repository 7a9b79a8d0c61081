/** A key of those who do not operate the gateway may have no more than its tenant, and that of a member no more than an admin has set. */
import { formatDollars } from '../../core/accounting/money.ts';
import type { User } from '../../core/admin/user.ts';
import { isAsStrict } from '../../core/data-policy.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { allowsModel, type DataPolicy, type Permissions } from '../../core/tenancy.ts';
import type { KeyChange } from '../../stores/access/key-edits.ts';
import type { AdminBounds, StoredApiKey } from '../../stores/access/keys.ts';
import type { Tenancy, TenancyChange } from '../../stores/access/tenancy-fields.ts';
import type { StoredTenant } from '../../stores/access/tenants.ts';
import { limitsAfter, limitTable } from '../limit-fields.ts';

/**
 * What an admin has set of a key, working or not, holds for each further one that its owner makes. Throws GatewayError `invalid_request`.
 */
export function requireAsOthers(
  { role, id }: User,
  keys: readonly StoredApiKey[],
  { dataPolicy }: TenancyChange,
): void {
  if (role !== 'member') return;
  for (const { owner, adminBounds } of keys) {
    if (owner === id) requireAsStrict(adminBounds?.dataPolicy, dataPolicy ?? null);
  }
}

/** Of what is given. What a key does not limit, its tenant still does. Throws GatewayError `invalid_request`. */
export function requireWithin({ role }: User, tenant: StoredTenant, change: TenancyChange): void {
  if (role !== 'operator')
    requireBelow(tenant, change, { whose: 'the limit of the tenant', may: 'the tenant may use' });
}

/** Guardrails and cached answers are for those who administer a tenant. Throws GatewayError `invalid_request`. */
export function requirePolicies(
  { role }: User,
  { guardrails = [] }: StoredTenant,
  change: TenancyChange,
): void {
  const unknown = change.guardrailIds?.find((id) => guardrails.every((one) => one.id !== id));
  if (unknown !== undefined) throw invalid('guardrails', `names no policy of the tenant: '${unknown}'`);
  if (role !== 'member') return;
  if (change.guardrailIds !== undefined) throw invalid('guardrails', 'is set by an admin');
  if (change.cache !== undefined) throw invalid('cache', 'is set by an admin');
}

/**
 * What an operator or an admin has set on a key, its owner may make narrower, and neither lift nor widen. Throws GatewayError
 * `invalid_request`.
 */
export function requireKept(
  { role }: User,
  { adminBounds }: Pick<StoredApiKey, 'adminBounds'>,
  change: KeyChange,
) {
  if (role !== 'member' || !adminBounds) return;
  requireBelow(adminBounds, change, ofAdmin);
  requireAsStrict(adminBounds.dataPolicy, change.dataPolicy);
  const { expiresAt: last } = adminBounds;
  const { expiresAt } = change;
  if (last === undefined || expiresAt === undefined || (expiresAt !== null && expiresAt <= last)) return;
  throw invalid('expires_at', `may be at most ${last}, ${ofAdmin.whose}`);
}

/** The bounds of a key after a change: what others than its owner set holds for the owner from then on. */
export function boundsAfter({ role }: User, bounds: AdminBounds = {}, change: KeyChange): AdminBounds | null {
  if (role === 'member') return isEmpty(bounds) ? null : bounds;
  const { models = bounds.models, operations = bounds.operations, expiresAt = bounds.expiresAt } = change;
  const { dataPolicy = bounds.dataPolicy } = change;
  const left = limitsAfter(bounds.limits, change.limits);
  const next: AdminBounds = {
    ...(!isEmpty(left) && { limits: left }),
    ...(models && { models }),
    ...(operations && { operations }),
    ...(dataPolicy && { dataPolicy }),
    ...(expiresAt && { expiresAt }),
  };
  return isEmpty(next) ? null : next;
}

/** The policy of an admin is in the key's own: the owner may only add to it. */
function requireAsStrict(bound: DataPolicy | undefined, asked: DataPolicy | null | undefined): void {
  if (!bound || asked === undefined || (asked && isAsStrict(asked, bound))) return;
  throw invalid('data_policy', 'may be no looser than an admin has set: ask an admin to change it');
}

const isEmpty = (object: object): boolean => Object.keys(object).length === 0;

interface Wording {
  /** Whose bound it is, after an amount. */
  readonly whose: string;
  /** After models and operations. */
  readonly may: string;
  /** Whether null is refused: it lifts the bound. */
  readonly keepsBounds?: true;
}

const ofAdmin: Wording = {
  whose: 'which an admin has set: ask an admin to raise it',
  may: 'an admin has allowed for this key',
  keepsBounds: true,
};

function requireBelow(bound: Tenancy, change: TenancyChange, { whose, may, keepsBounds }: Wording): void {
  for (const row of limitTable) {
    const maximum = bound.limits?.[row.limit];
    const asked = change.limits?.[row.limit];
    const isLifted = keepsBounds && asked === null;
    if (maximum === undefined || !(isLifted || (asked ?? 0) > maximum)) continue;
    const shown = row.isMoney ? `${formatDollars(maximum)} USD` : maximum;
    throw invalid(`limits.${row.field}`, `may be at most ${shown}, ${whose}`);
  }
  if (keepsBounds && bound.limits?.includeOwnKeys && change.limits?.includeOwnKeys === null) {
    throw invalid('limits.include_own_keys', 'is set by an admin: ask an admin to change it');
  }
  const areModelsLifted = keepsBounds && bound.models !== undefined && change.models === null;
  if (areModelsLifted || change.models?.some((pattern) => !includesPattern(bound, pattern))) {
    throw invalid('models', `may only name models that ${may}`);
  }
  const { operations } = bound;
  const isAllowed = change.operations?.every((name) => operations?.includes(name) ?? true);
  const areOperationsLifted = keepsBounds && operations !== undefined && change.operations === null;
  if (areOperationsLifted || isAllowed === false) {
    throw invalid('operations', `may only name operations that ${may}`);
  }
}

/** All models of an owner are included only where the tenant may use them all. */
const includesPattern = (bound: Permissions, pattern: string): boolean =>
  pattern.endsWith('/*') ? (bound.models?.includes(pattern) ?? true) : allowsModel(bound, pattern);
