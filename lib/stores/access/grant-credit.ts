/**
 * Gives a tenant a grant of credit, once for each id of a grant. Each grant changes the credit, so the credit that was read stands for
 * all grants.
 */
import type { CreditGrant } from '../../core/accounting/credit.ts';
import { formatDollars } from '../../core/accounting/money.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { partitionKey, tenantItemPrefix } from '../../core/tables.ts';
import type { ItemUpdate, Table } from '../dynamodb/table.ts';
import { readTenant, type StoredTenant } from './tenants.ts';

/** An item is read by every request of the tenant, and must stay small. */
const maxGrants = 100;

/** Tries of one grant, each after another one was given at the same time. */
const maxTries = 20;

/**
 * Undefined if there is no such tenant. Rejects with GatewayError `invalid_request` for more than can be counted exactly, and for too
 * many grants. It may be repeated: a grant that is there already is not given again.
 */
export async function grantCredit(
  items: Table,
  name: string,
  grant: CreditGrant,
): Promise<StoredTenant | undefined> {
  const key = tenantItemPrefix + name;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const item = await items.get(key, { consistent: true });
    const known = item && readTenant(item);
    if (!known) return undefined;
    const { grants = [], limits: { credit, includeOwnKeys } = {} } = known;
    if (grants.some(({ id }) => id === grant.id)) return known;
    if (includeOwnKeys) throw includesOwnKeys();
    if (grants.length >= maxGrants) throw tooManyGrants();
    if ((credit ?? 0) > Number.MAX_SAFE_INTEGER - grant.amount) throw tooMuchCredit();
    const changed = await items.update(key, updateOf(credit, grant));
    if (changed) return readTenant(changed);
  }
  throw new GatewayError(
    'conflict',
    'Credit was given by others at the same time. Try again: it is not given twice.',
  );
}

function updateOf(credit: number | undefined, grant: CreditGrant): ItemUpdate {
  const unchanged = credit === undefined ? 'attribute_not_exists(credit)' : 'credit = :known';
  return {
    expression: 'SET grants = list_append(if_not_exists(grants, :none), :grants) ADD credit :more',
    condition: `attribute_exists(#key) AND ${unchanged}`,
    names: { '#key': partitionKey },
    values: {
      ':none': [],
      ':grants': [grant],
      ':more': grant.amount,
      ...(credit !== undefined && { ':known': credit }),
    },
  };
}

const includesOwnKeys = () =>
  new GatewayError(
    'invalid_request',
    "The tenant's budgets include its own keys, which credit does not. Set that for budgets of its keys instead. Nothing was added.",
    { param: 'credit' },
  );

const tooManyGrants = () =>
  new GatewayError(
    'invalid_request',
    `A tenant has at most ${maxGrants} grants of credit. To start again, set what is left with: tenants set-limits --credit. Nothing was added.`,
    { param: 'credit' },
  );

const tooMuchCredit = () =>
  new GatewayError(
    'invalid_request',
    `The credit of a tenant is at most ${formatDollars(Number.MAX_SAFE_INTEGER)} USD: more cannot be counted exactly. Nothing was added.`,
    { param: 'credit' },
  );
