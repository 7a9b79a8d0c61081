/** What is left of charges. The dashboard loads it, so it depends on types alone. */
import type { Amounts } from './schema.ts';

/** What tenants were charged above what providers take, in nano-dollars, of what is known of both; null: nothing is. */
export function marginOf({
  cost_nano_usd: charge = null,
  provider_cost_nano_usd: cost = null,
}: Partial<Pick<Amounts, 'cost_nano_usd' | 'provider_cost_nano_usd'>>): number | null {
  return charge === null || cost === null ? null : charge - cost;
}
