/** Writes sums as the figures of an answer. */

import { quantileOf } from '../../core/accounting/first-byte.ts';
import type { Numbers } from '../../core/accounting/sums.ts';
import { dollarsOf } from '../dollars.ts';
import type { Amounts, Figures, PointFigures } from './schema.ts';

const read = (numbers: Numbers, name: keyof Numbers) => numbers[name] ?? 0;

/** Null if it is known of no request: unknown is not 0. */
function known(numbers: Numbers, amount: keyof Numbers, unknown: keyof Numbers): number | null {
  const missing = read(numbers, unknown);
  return missing > 0 && missing >= read(numbers, 'requests') ? null : read(numbers, amount);
}

const share = (part: number, whole: number) => (whole > 0 ? Math.min(1, Math.max(0, part / whole)) : null);

export function toFigures(numbers: Numbers, seesCost: boolean): Figures {
  const requests = read(numbers, 'requests');
  const prompt = read(numbers, 'promptTokens');
  const cached = read(numbers, 'cachedTokens');
  const charge = known(numbers, 'charge', 'uncharged');
  return {
    ...toAmounts(numbers, seesCost),
    failed_requests: read(numbers, 'failed'),
    prompt_tokens: prompt,
    cached_tokens: cached,
    cache_write_tokens: read(numbers, 'cacheWriteTokens'),
    input_image_tokens: read(numbers, 'inputImageTokens'),
    completion_tokens: read(numbers, 'completionTokens'),
    reasoning_tokens: read(numbers, 'reasoningTokens'),
    output_image_tokens: read(numbers, 'outputImageTokens'),
    web_searches: read(numbers, 'webSearches'),
    search_units: read(numbers, 'searchUnits'),
    input_images: read(numbers, 'inputImages'),
    characters: read(numbers, 'characters'),
    audio_ms: read(numbers, 'audioMs'),
    normalizations: read(numbers, 'normalizations'),
    failed_share: share(read(numbers, 'failed'), requests),
    cached_share: share(cached, prompt),
    cache_hit_rate: share(read(numbers, 'cacheHits'), read(numbers, 'detailed')),
    blended_price: blended(charge, tokensOf(numbers)),
    first_byte_ms: firstBytes(numbers),
  };
}

/** Requests and money alone. */
export function toAmounts(numbers: Numbers, seesCost: boolean): Amounts {
  const charge = known(numbers, 'charge', 'uncharged');
  return {
    requests: read(numbers, 'requests'),
    unpriced_requests: read(numbers, 'uncharged'),
    estimated_requests: read(numbers, 'estimated'),
    cost: dollarsOf(charge),
    cost_nano_usd: charge,
    estimated_cost_nano_usd: read(numbers, 'estimatedCharge'),
    ...(seesCost && providerCost(numbers)),
  };
}

function providerCost(numbers: Numbers) {
  const cost = known(numbers, 'cost', 'unpriced');
  return {
    provider_cost: dollarsOf(cost),
    provider_cost_nano_usd: cost,
    provider_unpriced_requests: read(numbers, 'unpriced'),
  };
}

export const tokensOf = (numbers: Numbers): number =>
  read(numbers, 'promptTokens') + read(numbers, 'completionTokens');

/** Nano-dollars for a token are thousandths of a dollar for a million. */
const blended = (charge: number | null, tokens: number) =>
  charge === null || tokens <= 0 ? null : charge / tokens / 1000;

export function firstBytes(numbers: Numbers): Figures['first_byte_ms'] {
  const [p50, p95] = [quantileOf(numbers, 0.5), quantileOf(numbers, 0.95)];
  return p50 === null || p95 === null ? null : { p50: Math.round(p50), p95: Math.round(p95) };
}

export const toPoint = (numbers: Numbers): PointFigures => ({
  requests: read(numbers, 'requests'),
  failed_requests: read(numbers, 'failed'),
  unpriced_requests: read(numbers, 'uncharged'),
  tokens: tokensOf(numbers),
  cost_nano_usd: known(numbers, 'charge', 'uncharged'),
});

/** For orders: what is known of the charge. */
export const chargeIn = (numbers: Numbers): number => read(numbers, 'charge');
export const requestsIn = (numbers: Numbers): number => read(numbers, 'requests');
