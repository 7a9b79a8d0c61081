/**
 * What a tenant is charged for one call of a provider: its cost with the tenant's markup, or the tenant's fixed price of the
 * model times its use. Whole nano-dollars, exact: a markup is computed with integers of any size and rounded once for each
 * call, half a nano-dollar up.
 */
import { ownKeyFeeAt, type Pricing, type Tariff, tariffOf } from '../../core/accounting/pricing.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { costOf } from './cost.ts';

/** One call of a provider; `cost` in nano-dollars, null if unknown. */
interface Charged {
  readonly model: string;
  /** Absent if nothing was counted. */
  readonly usage?: Usage;
  /** How many of its parts were sent and never counted; absent: none. */
  readonly uncounted?: number | undefined;
  readonly cost: number | null;
  /** As `LedgerAttempt` has them. */
  readonly credential?: string;
  readonly listCost?: number | null;
}

/** The charge at the terms of a time in Unix milliseconds; null if unknown, never 0 for that reason. */
export function chargeOf(call: Charged, pricing: Pricing | undefined, at: number): number | null {
  const { model, usage, uncounted = 0, cost, credential, listCost = null } = call;
  if (credential !== undefined) return shareOf(listCost, ownKeyFeeAt(pricing, at / 1000), 'half up');
  const tariff = tariffOf(pricing, model, at / 1000);
  if ('markup' in tariff) return cost === null ? null : withMarkup(cost, tariff.markup, 'half up');
  if (uncounted > 0) return null;
  if (usage) return costOf(usage, tariff.price);
  // Without counts, only a call that is known to cost nothing has a known charge.
  return cost === 0 ? 0 : null;
}

/**
 * The most that a call may be charged, if `cost` is the most that it may cost. Rounded up, so that the bounds of the parts
 * of a call are together never below its charge. For fixed prices the bound is that of the price.
 */
export function boundWithMarkup(
  cost: number | null,
  tariff: Extract<Tariff, { markup: number }>,
): number | null {
  // A token may cost a fraction of a nano-dollar.
  return cost === null ? null : withMarkup(Math.ceil(cost), tariff.markup, 'up');
}

/** The most that the fee for a call with a tenant's own credential may be, if `listCost` is the most that the call may cost. */
export const boundOfFee = (listCost: number | null, fee: number): number | null =>
  shareOf(listCost === null ? null : Math.ceil(listCost), fee, 'up');

/** Nothing of an unknown amount is nothing. */
function shareOf(amount: number | null, share: number, rounding: 'half up' | 'up'): number | null {
  if (share === 0) return 0;
  return amount === null ? null : withFactor(amount, BigInt(share), rounding);
}

/** A hundred percent in hundredths of a percent. */
const whole = 10_000n;

function withMarkup(cost: number, markup: number, rounding: 'half up' | 'up'): number | null {
  if (markup === 0) return Number.isSafeInteger(cost) ? cost : null;
  return withFactor(cost, whole + BigInt(markup), rounding);
}

/** `factor`: in hundredths of a percent. */
function withFactor(amount: number, factor: bigint, rounding: 'half up' | 'up'): number | null {
  const more = rounding === 'up' ? whole - 1n : whole / 2n;
  const charge = Number(floorOf(BigInt(amount) * factor + more, whole));
  return Number.isSafeInteger(charge) ? charge : null;
}

/** Division of integers rounds towards zero; this rounds down. */
function floorOf(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}
