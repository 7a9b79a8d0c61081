/** The money of a key or a tenant as columns: what it was charged this month, and how much of its budgets and credit is used. */

import type { ListedKey } from '../lib/admin/keys/schema.ts';
import { budgetShare } from '../lib/admin/month-spend.ts';
import type { Row } from './listing.ts';

/** Null: unknown. Estimates are a part of the spend; what has no price is not. */
export function moneyRow({ spend = null, use = [] }: Pick<ListedKey, 'spend' | 'use'>): Row {
  const credit = use.find(({ limit }) => limit === 'credit_usd');
  return {
    month_requests: spend?.requests ?? null,
    month_spend_usd: spend?.cost ?? null,
    month_unpriced_requests: spend?.unpriced_requests ?? null,
    month_estimated_requests: spend?.estimated_requests ?? null,
    ...(spend?.provider_cost !== undefined && { month_provider_cost_usd: spend.provider_cost }),
    budget_used: budgetShare(use),
    ...(credit && { credit_left_usd: credit.left }),
  };
}

const showShare = (share: unknown): string =>
  typeof share === 'number' ? `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%` : '';

/** In a table, what has no price or is estimated is a column where there is any. */
export const moneyColumns = (rows: readonly Row[]) => [
  'month_spend_usd',
  ...(['month_unpriced_requests', 'month_estimated_requests'] as const).filter((name) =>
    rows.some((row) => Number(row[name]) > 0),
  ),
  ['budget_used', showShare] as const,
];
