/** Converts the prices of a catalog row: inside the gateway, a price is a number of nano-dollars for one token, call or image. */
import type { DatedPrice, HourPrices, Price, ServicePrices, TieredPrices } from '../../core/catalog/price.ts';
import { type PriceRow, weekdays } from './price-row.ts';

const nanoDollarsPerDollar = 1_000_000_000;

/** One dollar per million tokens is a thousand nano-dollars per token; one per thousand calls is a million per call. */
const perMillion = nanoDollarsPerDollar / 1_000_000;
const perThousand = nanoDollarsPerDollar / 1_000;

/** Decimals of a nano-dollar that a price may have. */
const decimals = 1_000;

export interface PricesRow {
  readonly price?: PriceRow;
  readonly laterPrices?: readonly (PriceRow & { readonly from: string })[];
}

/** The prices by date, oldest first; empty if none is known. */
export function readPrices({ price, laterPrices = [] }: PricesRow): readonly DatedPrice[] {
  const later = laterPrices.map(({ from, ...row }) => ({
    from: secondsOf(from),
    price: readPrice(row),
  }));
  return [...(price ? [{ from: 0, price: readPrice(price) }] : []), ...later];
}

const secondsOf = (date: string) => Math.floor(Date.parse(date) / 1000);

/** Whether later prices are in chronological order. */
export function areInOrder({ laterPrices = [] }: PricesRow): boolean {
  const seconds = laterPrices.map(({ from }) => secondsOf(from));
  return seconds.every((second, index) => index === 0 || (seconds[index - 1] ?? 0) < second);
}

type ServiceRow = Pick<PriceRow, 'serviceTiers'> & TieredRow;
type TieredRow = Pick<PriceRow, keyof typeof ofTokens | 'tiers'>;

/** What people write a price of tokens for, in nano-dollars. */
const ofTokens = {
  input: perMillion,
  output: perMillion,
  cachedInput: perMillion,
  cacheWrite: perMillion,
  cacheWriteHour: perMillion,
  reasoning: perMillion,
  imageInput: perMillion,
  cachedImageInput: perMillion,
  audioInput: perMillion,
  cachedAudioInput: perMillion,
  imageOutput: perMillion,
} as const;

/** Fields in other units. */
const notOfTokens = {
  request: perThousand,
  webSearch: perThousand,
  webSearchRequest: perThousand,
  searchUnit: perThousand,
  characters: perMillion,
  audioHour: nanoDollarsPerDollar,
  minAudioMs: 1,
  image: nanoDollarsPerDollar,
  imageInputEach: nanoDollarsPerDollar,
  cacheStorage: perMillion,
  upliftPercent: 1,
} as const;

export function readPrice(row: PriceRow): Price {
  const { hours, hostedTools, freeAllowance, statedCost } = row;
  return {
    ...readService(row),
    ...(hours && { hours: hours.map(readHours) }),
    ...amountsIn(row, notOfTokens),
    ...(hostedTools && { hostedTools: readTools(hostedTools) }),
    ...(freeAllowance && { freeAllowance }),
    ...(statedCost && { statedCost }),
  };
}

const readTools = (tools: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(tools).map(([name, usd]) => [name, inNanoDollars(usd, perThousand)]));

function readHours(row: NonNullable<PriceRow['hours']>[number]): HourPrices {
  const { utc, weekdays: days, exceptDates } = row;
  return {
    ...readService(row),
    ranges: utc.map((range) => ({ from: minuteOf(range.slice(0, 5)), to: minuteOf(range.slice(6)) })),
    ...(days && { weekdays: days.map((day) => weekdays.indexOf(day)) }),
    ...(exceptDates && { exceptDates }),
  };
}

const minuteOf = (time: string): number => 60 * Number(time.slice(0, 2)) + Number(time.slice(3));

function readService(row: ServiceRow): ServicePrices {
  const { serviceTiers } = row;
  const prices = readTiered(row);
  if (!serviceTiers) return prices;
  const resolved = Object.entries(serviceTiers).flatMap(([name, tier]) => {
    const named = typeof tier === 'string' ? serviceTiers[tier] : tier;
    return typeof named === 'object' ? [[name, readTiered(named)] as const] : [];
  });
  return { ...prices, serviceTiers: Object.fromEntries(resolved) };
}

function readTiered(row: TieredRow): TieredPrices {
  const amounts = readAmounts(row);
  if (!row.tiers) return amounts;
  const tiers = row.tiers.map((tier) => ({
    ...readAmounts(tier),
    aboveInputTokens: tier.aboveInputTokens,
  }));
  return { ...amounts, tiers };
}

function readAmounts(row: Omit<TieredRow, 'tiers'>) {
  const {
    input = 0,
    output = 0,
    cachedInput = null,
    cacheWrite = null,
    ...others
  } = amountsIn(row, ofTokens);
  return { input, output, cachedInput, cacheWrite, ...others };
}

const inNanoDollars = (usd: number, unit: number) => Math.round(usd * unit * decimals) / decimals;

/** The amounts that are set, converted. */
function amountsIn<Name extends string>(
  row: Readonly<Partial<Record<NoInfer<Name>, number | null | undefined>>>,
  units: Readonly<Record<Name, number>>,
): Partial<Record<Name, number>> {
  const converted: Partial<Record<Name, number>> = {};
  for (const name of Object.keys(units) as Name[]) {
    const usd = row[name];
    if (typeof usd === 'number') converted[name] = inNanoDollars(usd, units[name]);
  }
  return converted;
}
