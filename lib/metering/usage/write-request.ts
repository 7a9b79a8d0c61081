/** One request of the ledger, for its tenant. Amounts are what the tenant is charged, never what the providers take. */

import { interrupted, isOver } from '../../core/accounting/interrupted.ts';
import type { LedgerItem } from '../../core/accounting/journal.ts';
import { chargedAt, type LedgerAttempt, type LedgerRecord } from '../../core/accounting/ledger.ts';
import { formatDollars } from '../../core/accounting/money.ts';
import { priceAt, pricesOf } from '../../core/accounting/price.ts';
import type { Pricing } from '../../core/accounting/pricing.ts';
import type { Price } from '../../core/catalog/price.ts';
import type { Usage } from '../../core/generation/usage.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { guardAmounts } from '../cost/bill.ts';
import { chargeLines } from '../cost/charge-lines.ts';

interface WriteParts {
  readonly catalog: Pick<Catalog, 'find'>;
  readonly now: () => number;
}

/** As `GET /v1/usage/requests/{request_id}` answers: what the tenant may know. */
export async function writeRequest(
  { catalog, now }: WriteParts,
  item: LedgerItem,
  pricing: Pricing | undefined,
) {
  const { record } = item;
  const status = statusOf(item, now());
  const attempts = await Promise.all(
    (status === 'open' ? withoutEstimate(record.attempts) : record.attempts).map(async (attempt) => ({
      ...writeAttempt(attempt),
      arithmetic: writeArithmetic(attempt, await priceOf(catalog, attempt), { record, pricing }),
    })),
  );
  return {
    object: 'usage.request',
    id: record.requestId,
    created_at: new Date(record.at).toISOString(),
    status,
    operation: record.operation,
    requested_model: record.requestedModel,
    model: record.model,
    key: record.key,
    user: record.user ?? null,
    session: record.session ?? null,
    tags: record.tags ?? {},
    batch: record.batch ?? null,
    streamed: record.streamed,
    // An open request is 200 until it is known otherwise.
    http_status: status === 'open' ? null : record.status,
    error: record.error ?? null,
    total_ms: status === 'open' ? null : record.totalMs,
    attempts,
    guardrails: writeGuards(record, pricing),
    replayed: writeReplayed(record),
    ...writeAmount(status === 'open' ? null : record.charge),
  };
}

function statusOf({ state, record }: LedgerItem, now: number): 'open' | 'done' | 'interrupted' {
  if (record.error === interrupted) return 'interrupted';
  if (state === 'done') return 'done';
  return isOver(record, now) ? 'interrupted' : 'open';
}

/** What the last attempt gets if it is interrupted is nothing that it has used. */
const withoutEstimate = (attempts: readonly LedgerAttempt[]): readonly LedgerAttempt[] =>
  attempts.map((attempt, index) => {
    const { usage: _, estimated: __, ...others } = attempt;
    return index === attempts.length - 1 ? { ...others, charge: null } : attempt;
  });

const writeAttempt = ({
  provider,
  model,
  region,
  tier,
  usage,
  estimated,
  error,
  ...paid
}: LedgerAttempt) => ({
  provider,
  model,
  region,
  credential: paid.credential ?? null,
  service_tier: tier ?? null,
  error: error ?? null,
  usage: usage ? writeUsage(usage) : null,
  estimated: estimated ?? false,
  list_cost_nano_usd: paid.listCost ?? null,
  ...writeAmount(paid.charge),
});

/** What was found is not on record. */
function writeGuards(record: LedgerRecord, pricing: Pricing | undefined) {
  const amounts = guardAmounts(record, pricing, chargedAt(record));
  return (record.guard ?? []).map(({ policy, labels = [], cost: _, ...guard }, index) => ({
    guardrail: policy,
    ...guard,
    labels: [...labels],
    cost_nano_usd: amounts[index]?.charge ?? null,
  }));
}

/** Null: a provider was asked. */
export const writeReplayed = ({ replayed }: Pick<LedgerRecord, 'replayed'>) =>
  replayed
    ? {
        of: replayed.of,
        prompt_tokens: replayed.promptTokens,
        completion_tokens: replayed.completionTokens,
      }
    : null;

const writeUsage = (usage: Usage) => ({
  prompt_tokens: usage.promptTokens,
  cached_tokens: usage.cachedTokens,
  cache_write_tokens: usage.cacheWriteTokens,
  completion_tokens: usage.completionTokens,
  reasoning_tokens: usage.reasoningTokens,
  web_searches: usage.webSearches ?? 0,
  search_units: usage.searchUnits ?? 0,
  input_images: usage.inputImages ?? 0,
  characters: usage.characters ?? 0,
  audio_ms: usage.audioMs ?? 0,
});

const writeAmount = (amount: number | null) => ({
  cost: amount === null ? null : formatDollars(amount),
  cost_nano_usd: amount,
});

interface Charged {
  readonly record: LedgerRecord;
  readonly pricing: Pricing | undefined;
}

function writeArithmetic(attempt: LedgerAttempt, price: Price | undefined, { record, pricing }: Charged) {
  const lines = chargeLines(attempt, price, pricing, chargedAt(record));
  return (
    lines?.map(({ what, quantity, unitPrice, per = 1, amount }) => ({
      what,
      quantity,
      unit_price: unitPrice,
      per,
      amount,
    })) ?? null
  );
}

/** The price that was applied. */
async function priceOf(catalog: Pick<Catalog, 'find'>, attempt: LedgerAttempt): Promise<Price | undefined> {
  const { priceFrom } = attempt;
  if (priceFrom === null) return undefined;
  const model = await catalog.find(attempt.model);
  const dated = model && priceAt(pricesOf(model, attempt) ?? model.prices, priceFrom);
  return dated?.from === priceFrom ? dated.price : undefined;
}
