/** Which of a model's prices apply to a call: those of its hour, its service tier and the length of its input. */
import type {
  HourPrices,
  Price,
  ServicePrices,
  TieredPrices,
  TokenPrices,
} from '../../core/catalog/price.ts';

/** What a price depends on, beside the counts. */
export interface Served {
  /** The service tier that the answer names; absent: the default. */
  readonly tier?: string;
  /**
   * When the call ended, in Unix milliseconds; absent: at an hour without prices of its own. Of the providers with such hours,
   * DeepSeek named the moment: the completion of the request (its pricing page of 2025; the present one names none).
   */
  readonly at?: number;
}

/** Names of the tier whose prices are those of the model. `auto` in an answer names no other one. */
const defaultTiers: readonly string[] = ['default', 'standard', 'standard_only', 'auto', 'on_demand'];

export const isDefaultTier = (tier: string | undefined): boolean =>
  tier === undefined || defaultTiers.includes(tier);

/** Null where the prices of the tier are unknown, for an input of this length at least. */
export function pricesFor(price: Price, { tier, at }: Served, inputTokens: number): TokenPrices | null {
  const prices = ofTier(atHour(price, at), tier);
  const isLong = reached(price, inputTokens).length > 0;
  return prices && (prices.tiers || !isLong) ? ofLength(prices, inputTokens) : null;
}

function atHour(price: Price, at: number | undefined): ServicePrices {
  if (at === undefined) return price;
  return price.hours?.find((hours) => containsTime(hours, at)) ?? price;
}

const minute = 60_000;

function containsTime({ ranges, weekdays, exceptDates }: HourPrices, at: number): boolean {
  const time = new Date(at);
  const minuteOfDay = 60 * time.getUTCHours() + time.getUTCMinutes();
  return (
    (weekdays?.includes(time.getUTCDay()) ?? true) &&
    !exceptDates?.includes(time.toISOString().slice(0, 10)) &&
    ranges.some(({ from, to }) => from <= minuteOfDay && minuteOfDay < to)
  );
}

/** The prices that may apply to a call that ends within a time from now, in Unix milliseconds. */
export function atHours(price: Price, from: number, to: number): readonly ServicePrices[] {
  const minutes = Math.ceil((to - from) / minute) + 1;
  const times = Array.from({ length: price.hours ? minutes : 1 }, (_, index) => from + index * minute);
  return [...new Set(times.map((at) => atHour(price, Math.min(at, to))))];
}

/** The name of the tier comes from the provider. */
export function ofTier(prices: ServicePrices, tier: string | undefined): TieredPrices | null {
  if (tier === undefined || isDefaultTier(tier)) return prices;
  const { serviceTiers = {} } = prices;
  return (Object.hasOwn(serviceTiers, tier) && serviceTiers[tier]) || null;
}

/** The prices of a tier apply to a whole call if its input is longer than the tier's threshold. */
function ofLength(prices: TieredPrices, inputTokens: number): TokenPrices {
  return reached(prices, inputTokens).at(-1) ?? prices;
}

/** The tiers below a number of input tokens, the lowest first. */
export function reached({ tiers = [] }: TieredPrices, inputTokens: number): readonly TokenPrices[] {
  return tiers
    .filter(({ aboveInputTokens }) => inputTokens > aboveInputTokens)
    .toSorted((one, other) => one.aboveInputTokens - other.aboveInputTokens);
}
