/** Makes the ledger record of a finished request, with the cost and the charge of each attempt. */
import {
  chargedAt,
  type FinishedAttempt,
  type FinishedRequest,
  type LedgerAttempt,
  type LedgerRecord,
  sumOfAmounts,
} from '../../core/accounting/ledger.ts';
import { describeTerms, type Pricing } from '../../core/accounting/pricing.ts';
import type { DatedPrice } from '../../core/catalog/price.ts';
import { isJsonObject, setOwn } from '../../core/formats/json-object.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { chargeOf } from './charge.ts';
import { costOf } from './cost.ts';
import type { Served } from './price-choice.ts';
import { withUnseenOutput } from './unseen-output.ts';

/** Characters. The usage reported by upstream is a few lines; anything longer is not stored. */
const maxRawUsageLength = 8_000;

/** No protocol nests its counts deeper. */
const maxDepth = 4;

/** `pricing`: how the tenant is charged; absent: at cost. */
export function billOf(request: FinishedRequest, pricing?: Pricing): LedgerRecord {
  const at = chargedAt(request);
  const attempts = request.attempts.map((attempt) => billAttempt(attempt, pricing, at));
  const { cost, charge } = sumsOf(attempts, guardAmounts(request, pricing, at));
  const terms = describeTerms(pricing, at / 1000);
  const record = { ...request, cost, charge, attempts };
  return terms === undefined ? record : { ...record, pricing: terms };
}

/** The amounts of a record: what its attempts come to. */
export function sumsOf(
  attempts: readonly Pick<LedgerAttempt, 'cost' | 'charge'>[],
  others: readonly Pick<LedgerAttempt, 'cost' | 'charge'>[] = [],
): Pick<LedgerRecord, 'cost' | 'charge'> {
  const [only] = attempts;
  if (only && attempts.length === 1 && others.length === 0) return { cost: only.cost, charge: only.charge };
  const all = [...attempts, ...others];
  return {
    cost: sumOfAmounts(all.map(({ cost }) => cost)),
    charge: sumOfAmounts(all.map(({ charge }) => charge)),
  };
}

/** What detectors of guardrails cost, with the tenant's markup: null is unknown, as of attempts. */
export function guardAmounts(
  { guard = [] }: Pick<LedgerRecord, 'guard'>,
  pricing: Pricing | undefined,
  at: number,
): readonly Pick<LedgerAttempt, 'cost' | 'charge'>[] {
  return guard.map(({ cost }) => ({ cost, charge: chargeOf({ model: '', cost }, pricing, at) }));
}

/** The attempt with its charge. All attempts of a request are charged at the terms of its time. */
export const charged = (
  attempt: Omit<LedgerAttempt, 'charge'>,
  pricing: Pricing | undefined,
  at: number,
): LedgerAttempt => ({ ...attempt, charge: chargeOf(attempt, pricing, at) });

/** `at`: when the request began, in Unix milliseconds. */
export function billAttempt(
  finished: FinishedAttempt,
  pricing: Pricing | undefined,
  at: number,
): LedgerAttempt {
  const { price, rawUsage, inputTokens: _, output: __, ...counted } = finished;
  // The copy becomes the result: each request has two, and each further copy of so many members costs a microsecond.
  const billed: Billed = counted as Billed;
  const usage = withUnseenOutput(finished);
  if (usage) billed.usage = usage;
  billed.priceFrom = price?.from ?? null;
  const { cost, listCost } = costsOf(billed, price);
  billed.cost = cost;
  if (listCost !== undefined) billed.listCost = listCost;
  billed.charge = chargeOf(billed, pricing, at);
  const raw = rawUsage && withoutZeros(rawUsage);
  if (raw && JSON.stringify(raw).length <= maxRawUsageLength) billed.rawUsage = raw;
  return billed;
}

type Billed = { -readonly [Name in keyof LedgerAttempt]: LedgerAttempt[Name] };

/** Counts that are 0 are most of what some providers report, and say nothing. */
function withoutZeros(usage: JsonObject, depth = 0): JsonObject {
  if (depth > maxDepth) return usage;
  const counted: Record<string, unknown> = {};
  for (const name of Object.keys(usage)) {
    const value = usage[name];
    if (value !== 0) setOwn(counted, name, isJsonObject(value) ? withoutZeros(value, depth + 1) : value);
  }
  return counted;
}

/** What the price of an attempt depends on, beside its counts. */
export const servedOf = ({
  tier,
  at,
  endedAt = at,
}: Pick<LedgerAttempt, 'tier' | 'at' | 'endedAt'>): Served => ({
  at: endedAt,
  ...(tier !== undefined && { tier }),
});

/** What a call with a tenant's own credential takes is the tenant's. */
export function costsOf(
  attempt: Omit<LedgerAttempt, 'priceFrom' | 'cost' | 'charge'>,
  price: DatedPrice | undefined,
): Pick<LedgerAttempt, 'cost' | 'listCost'> {
  const cost = costOfAttempt(attempt, price);
  return attempt.credential === undefined ? { cost } : { cost: 0, listCost: cost };
}

/** The cost in nano-dollars; null if unknown: a call was sent whose use is not known, or there is no price. */
export function costOfAttempt(
  attempt: Omit<LedgerAttempt, 'priceFrom' | 'cost' | 'charge'>,
  price: DatedPrice | undefined,
): number | null {
  const { usage, uncounted = 0 } = attempt;
  if (uncounted > 0) return null;
  return usage ? costOf(usage, price?.price, servedOf(attempt)) : 0;
}
