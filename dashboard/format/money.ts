/** Amounts in nano-dollars as text. An amount that is not known is never written as 0. */
import { marginOf } from '../../lib/admin/usage/margin.ts';
import type { Amounts } from '../../lib/admin/usage/schema.ts';
import { formatDollars } from '../../lib/core/accounting/money.ts';
import { count, counted, exactCount, threeDigits } from './numbers.ts';

/** Every decimal: `$1,234.567890125`. */
export function exactDollars(nano: number): string {
  const [whole = '0', decimals = '00'] = formatDollars(Math.abs(nano)).split('.');
  return `${nano < 0 ? '−' : ''}$${exactCount(Number(whole))}.${decimals}`;
}

/** At a glance: `$0`, `<$0.0001`, `$0.0012`, `$0.034`, `$1.20`, `$1,234`, `$12.3K`. */
export function dollars(nano: number): string {
  const amount = Math.abs(nano) / 1e9;
  return `${nano < 0 ? '−' : ''}${rounded(amount)}`;
}

/** The same of an amount that is a text of dollars. */
export const dollarsOf = (text: string): string => dollars(Number(text) * 1e9);

/** The same with every decimal: `$1,500.00`, `−$12.50`. */
export function exactDollarsOf(text: string): string {
  const [whole = '0', decimals = '00'] = text.replace('-', '').split('.');
  return `${text.startsWith('-') ? '−' : ''}$${exactCount(Number(whole))}.${decimals}`;
}

/** The same of a limit, whose cents are left out where there are none: `$1,500`, `$0.25`. */
export const limitDollars = (text: string): string => exactDollarsOf(text).replace(/\.00$/, '');

function rounded(amount: number): string {
  if (amount === 0) return '$0';
  if (amount < 0.0001) return '<$0.0001';
  if (amount < 0.0995) return `$${Number(amount.toPrecision(2))}`;
  if (amount < 999.995) return `$${amount.toFixed(2)}`;
  return amount < 9_999.5 ? `$${exactCount(Math.round(amount))}` : `$${count(amount)}`;
}

/** For an axis, whose numbers are round: `$0.5`, `$20`, `$1,500`, `$20K`. */
export function axisDollars(nano: number): string {
  const amount = nano / 1e9;
  return amount < 1000 ? `$${threeDigits(amount)}` : `$${count(amount)}`;
}

/** As a number of dollars, for tables that are sorted and saved; null: unknown. */
export const inDollars = (nano: number | null | undefined): number | null =>
  nano === null || nano === undefined ? null : nano / 1e9;

export interface Spend {
  /** The known part, in nano-dollars; null if no request has a known amount. */
  readonly cost_nano_usd: number | null;
  /** The requests whose amount is not known. */
  readonly unpriced_requests: number;
}

export interface Amount {
  /** At a glance. */
  readonly text: string;
  /** With every digit. */
  readonly exact: string;
  /** What is not known, in words. */
  readonly note?: string;
}

/** A sum: `$1.20`, `≥ $1.20` with its note, or `unknown` where no request has a known amount. */
export function spend({ cost_nano_usd: nano, unpriced_requests: unpriced }: Spend): Amount {
  const note = unpriced > 0 ? { note: `${counted(unpriced, 'request')} without a price` } : {};
  if (nano === null) return { text: 'unknown', exact: 'unknown', ...note };
  const [text, exact] = [dollars(nano), exactDollars(nano)];
  return unpriced === 0 ? { text, exact } : { text: `≥ ${text}`, exact: `at least ${exact}`, ...note };
}

/** What of a sum rests on estimates, in words; empty: nothing does. */
export const estimatedPart = ({
  estimated_requests: requests,
  estimated_cost_nano_usd: nano,
}: {
  readonly estimated_requests: number;
  readonly estimated_cost_nano_usd: number;
}): string => (requests > 0 ? `${dollars(nano)} of it estimated, of ${counted(requests, 'request')}` : '');

type Charged = Spend & Costs;

/** What was charged above what providers take; `≈ $1.20` where either is not known of all requests. */
export function margin(amounts: Charged): Amount {
  const nano = marginOf(amounts);
  if (nano === null) return { text: 'unknown', exact: 'unknown' };
  const { unpriced_requests: uncharged, provider_unpriced_requests: unpriced = 0 } = amounts;
  const [text, exact] = [dollars(nano), exactDollars(nano)];
  if (uncharged === 0 && unpriced === 0) return { text, exact };
  const note = `without ${counted(uncharged, 'charge')} and ${counted(unpriced, 'cost')} that are not known`;
  return { text: `≈ ${text}`, exact: `about ${exact}`, note };
}

type Costs = Partial<Pick<Amounts, 'provider_cost_nano_usd' | 'provider_unpriced_requests'>>;

/** Whether the user sees what providers take. */
export const isCosted = ({ provider_cost_nano_usd: cost }: Costs): boolean => cost !== undefined;

/** What providers take, as a sum. */
export const costOf = ({
  provider_cost_nano_usd: cost = null,
  provider_unpriced_requests: unpriced = 0,
}: Costs): Spend => ({ cost_nano_usd: cost, unpriced_requests: unpriced });

/** The amount of one request or attempt. */
export const amount = (nano: number | null): Amount => spend({ cost_nano_usd: nano, unpriced_requests: 0 });
