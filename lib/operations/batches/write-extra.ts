/** What the gateway says of a batch beside its contract: how its lines are answered, what that costs, and what it saves. */
import type { Batch, PlannedLines } from '../../core/batches.ts';

const nanoDollars = 1_000_000_000;

export function writeExtra({ mode, dryRun, plan, use }: Batch): object {
  const charge = use?.charge ?? null;
  return {
    mode,
    ...(dryRun && { dry_run: true }),
    plan: plan.map(writePlanned),
    cost: dollars(charge),
    saving: dollars(charge === null ? null : savingOf(plan, charge)),
  };
}

const writePlanned = ({ model, provider, region, lines, by, priceFactor }: PlannedLines): object => ({
  model,
  provider,
  region,
  lines,
  by,
  price_factor: priceFactor,
});

const dollars = (nano: number | null): number | null => (nano === null ? null : nano / nanoDollars);

/** What the answers would have cost more at list prices, in nano-dollars. Null: not all of them cost the same part of it. */
function savingOf(plan: readonly PlannedLines[], charge: number): number | null {
  const [factor, ...others] = new Set(plan.map(({ priceFactor }) => priceFactor));
  if (factor === undefined || factor === null || others.length > 0) return null;
  return Math.round(charge / factor - charge);
}
