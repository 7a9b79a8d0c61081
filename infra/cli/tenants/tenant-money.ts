/** The pricing and the credit of a tenant, for `tenants show`. */
import { leftOf } from '../../../lib/core/accounting/credit.ts';
import { formatDollars } from '../../../lib/core/accounting/money.ts';
import { markupPercent } from '../../../lib/core/accounting/pricing.ts';
import type { StoredTenant } from '../../../lib/stores/access/tenants.ts';
import type { Installation, Output } from '../command.ts';
import { writeListing } from '../output/listing.ts';
import type { Row } from '../output/rows.ts';
import { timeOf } from '../output/show.ts';

/** Only what the tenant has. */
export async function moneyOf(
  installation: Installation,
  tenant: StoredTenant,
): Promise<Readonly<Record<string, readonly Row[]>>> {
  const { pricing, grants } = tenant;
  return {
    ...(pricing && { pricing: pricing.map(termsRow) }),
    ...(grants && { grants: await grantRows(installation, tenant) }),
  };
}

const termsRow = ({ from, markup, models }: NonNullable<StoredTenant['pricing']>[number]): Row => ({
  charged_from: timeOf(from),
  markup_percent: markupPercent(markup),
  fixed_prices: Object.keys(models ?? {}),
});

/** Reservations of running requests count as used. */
async function grantRows(
  { limits }: Installation,
  { name, grants = [] }: StoredTenant,
): Promise<readonly Row[]> {
  const usedCredit = (await limits.read({ kind: 'tenant', id: name }))?.usedCredit ?? 0;
  const allocated = grants.reduce((sum, { used = 0 }) => sum + used, 0);
  const left = leftOf(grants, Math.max(0, usedCredit - allocated), Date.now() / 1000);
  return grants.map(({ id, amount, at, expires, priority, note, by }) => ({
    grant: id,
    amount_usd: formatDollars(amount),
    left_usd: formatDollars(left.get(id) ?? 0),
    priority,
    given_at: timeOf(at),
    expires_at: timeOf(expires),
    by,
    note: note ?? null,
  }));
}

/** As a table of its own, below the fields of the tenant. */
export function writeMoney(terminal: Output, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {}).map((name) => ({ name }));
  terminal.write('');
  writeListing(terminal, { columns, rows }, 'table');
}
