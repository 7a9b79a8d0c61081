/**
 * The attempts of a record for exports, with all that their amounts follow from: the counts of each call, the service tier, when it
 * ended, and from when on the price applies that the catalog has for it.
 */
import type { LedgerAttempt } from '../../core/accounting/ledger.ts';
import { formatDollars } from '../../core/accounting/money.ts';
import type { Usage } from '../../core/generation/usage.ts';

/** As the provider's side of it is written: with its cost. */
export const attemptRow = (attempt: LedgerAttempt) => ({
  ...chargedAttemptRow(attempt),
  cost_usd: dollars(attempt.cost),
});

/** The same for a tenant, which sees what it is charged. What is absent is left out. */
export function chargedAttemptRow(attempt: LedgerAttempt) {
  const { provider, model, region, upstreamId, at, endedAt = at, tier, usage, uncounted, error } = attempt;
  const { credential, listCost = null } = attempt;
  return {
    provider,
    model,
    region,
    ...(upstreamId !== undefined && { upstream_id: upstreamId }),
    ...(credential !== undefined && { credential, list_cost_usd: dollars(listCost) }),
    started: timeOf(at),
    ended: timeOf(endedAt),
    ...(tier !== undefined && { service_tier: tier }),
    ...(error !== undefined && { error }),
    price_from: priceFrom(attempt),
    estimated: attempt.estimated === true,
    // Calls that were sent and whose counts never came: then the amounts are unknown.
    ...(uncounted && { uncounted }),
    calls: (usage?.calls ?? (usage ? [usage] : [])).map(countsRow),
    charge_usd: dollars(attempt.charge),
  };
}

/** From when on the price of the catalog applies that was applied; null: none is known. */
export const priceFrom = ({ priceFrom: seconds }: LedgerAttempt): string | null =>
  seconds === null ? null : timeOf(seconds * 1_000);

/** The names of counts in exports. */
const countNames = {
  promptTokens: 'prompt_tokens',
  cachedTokens: 'cached_tokens',
  cacheWriteTokens: 'cache_write_tokens',
  cacheWriteHourTokens: 'cache_write_hour_tokens',
  completionTokens: 'completion_tokens',
  reasoningTokens: 'reasoning_tokens',
  inputImageTokens: 'input_image_tokens',
  inputAudioTokens: 'input_audio_tokens',
  cachedImageTokens: 'cached_image_tokens',
  cachedAudioTokens: 'cached_audio_tokens',
  outputImageTokens: 'output_image_tokens',
  webSearches: 'web_searches',
  images: 'images',
  inputImages: 'input_images',
  searchUnits: 'search_units',
  characters: 'characters',
  audioMs: 'audio_ms',
  hostedCalls: 'hosted_calls',
  cacheStorage: 'cache_storage',
} as const satisfies Partial<Record<keyof Usage, string>>;

/** A count that is absent may be unknown, which is not 0. */
function countsRow({ statedCost, ...usage }: Usage): Readonly<Record<string, unknown>> {
  const row: Record<string, unknown> = {};
  for (const [name, column] of Object.entries(countNames)) {
    const count = usage[name as keyof typeof countNames];
    if (count !== undefined) row[column] = count;
  }
  return { ...row, ...(statedCost !== undefined && { stated_cost_usd: formatDollars(statedCost) }) };
}

export const dollars = (amount: number | null): string | null =>
  amount === null ? null : formatDollars(amount);

const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString();
