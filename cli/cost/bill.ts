/** The monthly bill: a line for each use, and the totals. Amounts are whole nano-dollars. */
import type { Compute } from '../../infra/settings/groups/computes.ts';
import { hosts } from './hosts.ts';
import { charge, divide, type Price, prices } from './prices.ts';
import { type ProcessorTime, requestsPerMonth, type Traffic } from './traffic.ts';
import { idleUses, type Part, type Use, type WebPriceName } from './uses.ts';

export interface Line extends Use {
  readonly month: bigint;
  readonly perMillion: bigint;
}

export interface Sum {
  readonly month: bigint;
  readonly perMillion: bigint;
}

export interface Bill {
  readonly requests: bigint;
  readonly lines: readonly Line[];
  /** What is used at an unknown price: it is in no sum. */
  readonly unpriced: readonly Use[];
  readonly parts: readonly (Sum & { readonly part: Part })[];
  readonly total: Sum;
  /** The part of the total that is due without any request. */
  readonly idle: bigint;
}

/** Where the gateway runs, and what decides the price there. */
export interface Hosting {
  readonly compute: Compute;
  readonly time: ProcessorTime;
  /** Of Web Functions; those that are absent are unknown. */
  readonly webPrices: Readonly<Partial<Record<WebPriceName, Price>>>;
}

export function billOf(traffic: Traffic, { compute, time, webPrices }: Hosting): Bill {
  const requests = requestsPerMonth(traffic);
  const sumUp = (lines: readonly { readonly month: bigint }[]): Sum => {
    const month = lines.reduce((sum, line) => sum + line.month, 0n);
    return { month, perMillion: divide(month * 1_000_000n, requests) };
  };
  const { parts, uses, idle: idleOfHost } = hosts[compute];
  const known = { ...prices, ...webPrices };
  const all = uses(traffic, time);
  const idle = chargeAll([...idleUses, ...idleOfHost], known);
  const charged = [...chargeAll(all, known), ...idle];
  const lines = charged.map((line) => ({ ...line, perMillion: sumUp([line]).perMillion }));
  return {
    requests,
    lines,
    unpriced: all.filter(({ price }) => !known[price]),
    parts: parts.map((part) => ({ part, ...sumUp(lines.filter((line) => line.part === part)) })),
    total: sumUp(lines),
    idle: sumUp(idle).month,
  };
}

type KnownPrices = Readonly<Partial<Record<Use['price'], Price>>>;

/** Uses with the same price go through its tiers together, in order. Those at an unknown price are left out. */
function chargeAll(uses: readonly Use[], prices: KnownPrices): readonly (Use & { readonly month: bigint })[] {
  const before = new Map<Use['price'], bigint>();
  return uses.flatMap((use) => {
    const price = prices[use.price];
    if (!price) return [];
    const from = before.get(use.price) ?? 0n;
    const to = from + use.millionths;
    before.set(use.price, to);
    return [{ ...use, month: charge(price, to) - charge(price, from) }];
  });
}
