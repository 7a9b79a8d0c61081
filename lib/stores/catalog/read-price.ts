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
type TieredRow = Omit<PriceRow, keyof typeof notOfTokens | 'serviceTiers' | 'hours'>;

/** Fields in other units. */
const notOfTokens = {
  request: perThousand,
  webSearch: perThousand,
  webSearchRequest: perThousand,
  searchUnit: perThousand,
  characters: perMillion,
  audioHour: nanoDollarsPerDollar,
  minAudioMs: 1,
  hostedTools: perThousand,
  image: nanoDollarsPerDollar,
  imageInputEach: nanoDollarsPerDollar,
  cacheStorage: perMillion,
  upliftPercent: 1,
  freeAllowance: 1,
  statedCost: 1,
} as const;

export function readPrice({ hours, hostedTools, freeAllowance, statedCost, ...row }: PriceRow): Price {
  const {
    request,
    webSearch,
    webSearchRequest,
    searchUnit,
    characters,
    audioHour,
    minAudioMs,
    image,
    imageInputEach,
    cacheStorage,
    upliftPercent,
    ...tokens
  } = row;
  const others = {
    request,
    webSearch,
    webSearchRequest,
    searchUnit,
    characters,
    audioHour,
    minAudioMs,
    image,
    imageInputEach,
    cacheStorage,
    upliftPercent,
  };
  return {
    ...readService(tokens),
    ...(hours && { hours: hours.map(readHours) }),
    ...eachOf(others, (usd, name) => inNanoDollars(usd, notOfTokens[name])),
    ...(hostedTools && { hostedTools: readTools(hostedTools) }),
    ...(freeAllowance && { freeAllowance }),
    ...(statedCost && { statedCost }),
  };
}

const readTools = (tools: Readonly<Record<string, number>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(tools).map(([name, usd]) => [name, inNanoDollars(usd, perThousand)]));

function readHours({
  utc,
  weekdays: days,
  exceptDates,
  ...row
}: NonNullable<PriceRow['hours']>[number]): HourPrices {
  return {
    ...readService(row),
    ranges: utc.map((range) => ({ from: minuteOf(range.slice(0, 5)), to: minuteOf(range.slice(6)) })),
    ...(days && { weekdays: days.map((day) => weekdays.indexOf(day)) }),
    ...(exceptDates && { exceptDates }),
  };
}

const minuteOf = (time: string): number => 60 * Number(time.slice(0, 2)) + Number(time.slice(3));

function readService({ serviceTiers, ...row }: ServiceRow): ServicePrices {
  const named = serviceTiers ?? {};
  const resolved = Object.entries(named).flatMap(([name, tier]) => {
    const prices = typeof tier === 'string' ? named[tier] : tier;
    return typeof prices === 'object' ? [[name, readTiered(prices)] as const] : [];
  });
  return { ...readTiered(row), ...(serviceTiers && { serviceTiers: Object.fromEntries(resolved) }) };
}

function readTiered({ tiers, ...row }: TieredRow): TieredPrices {
  return {
    ...readAmounts(row),
    ...(tiers && {
      tiers: tiers.map(({ aboveInputTokens, ...tier }) => ({ ...readAmounts(tier), aboveInputTokens })),
    }),
  };
}

function readAmounts({ input, output, cachedInput, cacheWrite, ...others }: Omit<TieredRow, 'tiers'>) {
  const perToken = (usd: number) => inNanoDollars(usd, perMillion);
  const orNull = (usd: number | null | undefined) =>
    usd === undefined || usd === null ? null : perToken(usd);
  return {
    input: perToken(input),
    output: perToken(output),
    cachedInput: orNull(cachedInput),
    cacheWrite: orNull(cacheWrite),
    ...eachOf(others, perToken),
  };
}

const inNanoDollars = (usd: number, unit: number) => Math.round(usd * unit * decimals) / decimals;

/** The amounts that are set, converted. */
function eachOf<Name extends string>(
  amounts: Readonly<Partial<Record<Name, number | undefined>>>,
  convert: (usd: number, name: Name) => number,
): Readonly<Partial<Record<Name, number>>> {
  const converted: Partial<Record<Name, number>> = {};
  for (const name of Object.keys(amounts) as Name[]) {
    const usd = amounts[name];
    if (usd !== undefined) converted[name] = convert(usd, name);
  }
  return converted;
}
