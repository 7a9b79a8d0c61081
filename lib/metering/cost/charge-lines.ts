/** What a charge is made of, at the prices of the tenant: a markup is part of each price, so that the cost is not shown. */
import type { LedgerAttempt } from '../../core/accounting/ledger.ts';
import { withPoint } from '../../core/accounting/money.ts';
import { type Pricing, tariffOf } from '../../core/accounting/pricing.ts';
import type { Price } from '../../core/catalog/price.ts';
import { chargeOf } from './charge.ts';
import { costLines } from './cost.ts';
import { type CostLine, sumOf } from './cost-lines.ts';

/** Amounts in US dollars, exact, as decimal text. */
interface ChargeLine {
  readonly what: string;
  /** Null for what is added to the amounts of other lines. */
  readonly quantity: number | null;
  readonly unitPrice: string | null;
  /** What the price is for, if not for one. */
  readonly per?: number;
  /** Before rounding: the charge is the sum, rounded half up to nano-dollars. */
  readonly amount: string;
}

/** Null where the charge cannot be explained: it is unknown, or was made with a price that the catalog no longer has. */
export function chargeLines(
  attempt: LedgerAttempt,
  price: Price | undefined,
  pricing: Pricing | undefined,
  at: number,
): readonly ChargeLine[] | null {
  const { usage, model, tier, cost, charge, credential, endedAt = attempt.at } = attempt;
  if (charge === 0 && (!usage || credential !== undefined)) return [];
  // Terms that have been changed for a time before explain nothing of it.
  if (!usage || chargeOf(attempt, pricing, at) !== charge) return null;
  if (credential !== undefined && charge !== null)
    return [{ what: 'own_key_fee', quantity: null, unitPrice: null, amount: withPoint(BigInt(charge), 9) }];
  const tariff = tariffOf(pricing, model, at / 1000);
  if ('price' in tariff) {
    const lines = costLines(usage, tariff.price);
    return lines && sumOf(lines) === charge ? lines.map((line) => publicLine(line, 0)) : null;
  }
  const served = { ...(tier !== undefined && { tier }), at: endedAt };
  const lines = costLines(usage, price, served);
  return lines && sumOf(lines) === cost ? lines.map((line) => publicLine(line, tariff.markup)) : null;
}

function publicLine({ what, quantity, unitPrice, per, amount }: CostLine, markup: number): ChargeLine {
  const factor = BigInt(10_000 + markup);
  const isShare = what === 'uplift';
  return {
    what,
    quantity: isShare ? null : quantity,
    unitPrice: isShare ? null : withPoint(BigInt(Math.round(unitPrice * 1_000)) * factor, 16),
    ...(per !== undefined && !isShare && { per }),
    amount: withPoint(BigInt(amount) * factor, 13),
  };
}
