/** Amounts as the admin API shows them. */
import { formatDollars } from '../core/accounting/money.ts';

/** Null: unknown. */
export const dollarsOf = (nanoDollars: number | null): string | null =>
  nanoDollars === null ? null : formatDollars(nanoDollars);
