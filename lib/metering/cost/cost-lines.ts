/** The lines of a cost, computed exactly. */

/** One part of a cost. */
export interface CostLine {
  /** The name of the price in the catalog's row, or `tool:` and the name of a provider's tool. */
  readonly what: string;
  /** Tokens, requests, searches, search units, calls or images; `cacheStorage`: tokens times seconds; `uplift`: nano-dollars. */
  readonly quantity: number;
  /** Nano-dollars, with at most three decimals; `uplift`: percent. */
  readonly unitPrice: number;
  /** What the price is for, if not for one: 3,600 seconds, or 100 for a percentage. */
  readonly per?: number;
  /** In nano-dollars: quantity times price, divided by `per`, rounded half up. */
  readonly amount: number;
}

/** What costs something. Without a price, it must not occur. */
export type Part = readonly [
  what: string,
  quantity: number,
  unitPrice: number | undefined,
  per?: number | undefined,
];

/** The lines of all parts that occur; null if one of them has no price, or cannot be computed exactly. */
export function linesOf(parts: readonly Part[]): readonly CostLine[] | null {
  const lines: CostLine[] = [];
  for (const part of parts) {
    const [, quantity] = part;
    if (quantity === 0) continue;
    const line = lineOf(part);
    if (!line) return null;
    if (line.amount + line.unitPrice > 0) lines.push(line);
  }
  return lines;
}

/** Prices have thousandths of a nano-dollar. */
const decimals = 1_000;

function lineOf([what, quantity, unitPrice, per = 1]: Part): CostLine | null {
  if (unitPrice === undefined || !isCount(quantity)) return null;
  const thousandths = Math.round(unitPrice * decimals);
  if (!isCount(thousandths)) return null;
  const amount = roundedRatio(quantity, thousandths, decimals * per);
  return isCount(amount) ? { what, quantity, unitPrice, ...(per !== 1 && { per }), amount } : null;
}

/** The product of two counts divided by an even number, rounded half up. Numbers are exact below a bound that few products reach. */
function roundedRatio(one: number, other: number, divisor: number): number {
  const half = divisor / 2;
  const dividend = one * other + half;
  if (dividend <= Number.MAX_SAFE_INTEGER) return (dividend - (dividend % divisor)) / divisor;
  return Number((BigInt(one) * BigInt(other) + BigInt(half)) / BigInt(divisor));
}

/** Null if a number cannot hold it exactly. */
export function sumOf(lines: readonly CostLine[]): number | null {
  const sum = lines.reduce((total, { amount }) => total + amount, 0);
  return isCount(sum) ? sum : null;
}

/** Providers report counts: what is no count has no cost. */
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
