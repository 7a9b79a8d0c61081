/** The monthly bill: a line for each use, and the totals. Amounts are whole nano-dollars. */
import { charge, divide, type PriceName, type Prices } from './prices.ts';
import { requestsPerMonth, type Traffic } from './traffic.ts';
import { idleUses, type Part, parts, trafficUses, type Use } from './uses.ts';

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
  readonly parts: readonly (Sum & { readonly part: Part })[];
  readonly total: Sum;
  /** The part of the total that is due without any request. */
  readonly idle: bigint;
}

export function billOf(traffic: Traffic, prices: Prices): Bill {
  const requests = requestsPerMonth(traffic);
  const sumUp = (lines: readonly { readonly month: bigint }[]): Sum => {
    const month = lines.reduce((sum, line) => sum + line.month, 0n);
    return { month, perMillion: divide(month * 1_000_000n, requests) };
  };
  const idle = chargeAll(idleUses, prices);
  const charged = [...chargeAll(trafficUses(traffic), prices), ...idle];
  const lines = charged.map((line) => ({ ...line, perMillion: sumUp([line]).perMillion }));
  return {
    requests,
    lines,
    parts: parts.map((part) => ({ part, ...sumUp(lines.filter((line) => line.part === part)) })),
    total: sumUp(lines),
    idle: sumUp(idle).month,
  };
}

/** Uses with the same price go through its tiers together, in order. */
function chargeAll(uses: readonly Use[], prices: Prices): readonly (Use & { readonly month: bigint })[] {
  const before = new Map<PriceName, bigint>();
  return uses.map((use) => {
    const from = before.get(use.price) ?? 0n;
    const to = from + use.millionths;
    before.set(use.price, to);
    const price = prices[use.price];
    return { ...use, month: charge(price, to) - charge(price, from) };
  });
}
