/** The pricing and the credit of a tenant, for `tenants show`. */
import type { GrantAnswer, TenantAnswer, TermsAnswer } from '../../lib/admin/tenants/schema.ts';
import type { Output } from '../command.ts';
import { writeListing } from '../output/listing.ts';
import type { Row } from '../output/rows.ts';
import { timeOf } from '../output/show.ts';

/** Only what the tenant has. */
export const moneyOf = ({
  pricing,
  grants,
}: Pick<TenantAnswer, 'pricing' | 'grants'>): Readonly<Record<string, readonly Row[]>> => ({
  ...(pricing.length > 0 && { pricing: pricing.map(termsRow) }),
  ...(grants.length > 0 && { grants: grants.map(grantRow) }),
});

const termsRow = ({ from, markup_percent, fixed_prices }: TermsAnswer): Row => ({
  charged_from: timeOf(from),
  markup_percent,
  fixed_prices: fixed_prices.map(({ model }) => model),
});

const grantRow = ({ id, given_at, expires_at, by, note, ...grant }: GrantAnswer): Row => ({
  grant: id,
  amount_usd: grant.amount_usd,
  left_usd: grant.left_usd,
  priority: grant.priority,
  given_at: timeOf(given_at),
  expires_at: timeOf(expires_at ?? undefined),
  by,
  note,
});

/** As a table of its own, below the fields of the tenant. */
export function writeMoney(terminal: Output, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {}).map((name) => ({ name }));
  terminal.write('');
  writeListing(terminal, { columns, rows }, 'table');
}
