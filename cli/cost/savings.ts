/**
 * A Compute Savings Plan: percent off the time of functions, off their environments that are kept started, and off the tasks of Fargate.
 * AWS shows the percent of each term and payment to customers who buy it, and publishes only the maximum: so it is given, not known here.
 * Sources: cloudkeeper.com, AWS Compute Savings Plan (Lambda: at most 17 %, of duration and provisioned concurrency); bahr.dev,
 * Compute Savings Plan for serverless workloads (Fargate: at most 52 %).
 */
import { type NumberOption, readNumber, shown } from './number-option.ts';
import type { Price, PriceName, Prices } from './prices.ts';

interface Saving extends NumberOption {
  readonly prices: readonly PriceName[];
}

const percentOff = (what: string, max: number, prices: readonly PriceName[]): Saving => ({
  value: '<%>',
  description: `Percent that a Compute Savings Plan takes off ${what}, at most ${max}`,
  defaultValue: 0,
  min: 0,
  max,
  decimals: 2,
  prices,
});

const savings: Readonly<Record<string, Saving>> = {
  'lambda-savings': percentOff('the time of functions', 17, [
    'lambdaMegabyteMilliseconds',
    'lambdaKeptMegabyteMilliseconds',
    'lambdaKeptDuration',
  ]),
  'fargate-savings': percentOff('tasks', 52, ['fargateVcpuHours', 'fargateGigabyteHours']),
};

export const savingsOptions = Object.fromEntries(
  Object.entries(savings).map(([name, option]) => [name, shown(option)]),
);

/** The prices that a plan lowers. Throws UsageError. */
export function readSavings(
  options: Readonly<Record<string, string | undefined>>,
  prices: Prices,
): Partial<Prices> {
  const lowered = Object.entries(savings).flatMap(([name, saving]) => {
    const percent = readNumber(name, saving, options[name]);
    return percent === 0 ? [] : saving.prices.map((price) => [price, lower(prices[price], percent)] as const);
  });
  return Object.fromEntries(lowered);
}

/** Percents have two decimals: the quantity that a price is for grows by ten thousand, and its dollars by what is left of them. */
const lower = (price: Price, percent: number): Price => ({
  ...price,
  per: String(BigInt(price.per) * 10_000n),
  tiers: price.tiers.map((tier) => ({
    ...tier,
    dollars: times(tier.dollars, 10_000 - Math.round(percent * 100)),
  })),
  source: `${price.source}; less ${percent} % of a Compute Savings Plan`,
});

/** An amount with at most twelve decimals, times a whole number. */
function times(dollars: string, factor: number): string {
  const [whole = '0', fraction = ''] = dollars.split('.');
  const pico = String(BigInt(whole + fraction.padEnd(12, '0')) * BigInt(factor)).padStart(13, '0');
  return `${pico.slice(0, -12)}.${pico.slice(-12)}`;
}
