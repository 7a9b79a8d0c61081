/** Service tiers as OpenAI's wires and their hosts tell them. */
import { asText, lookUp } from './json.ts';

/** The public tiers, and what hosts call them; others are not told. */
const tiers: Readonly<Record<string, string>> = {
  auto: 'auto',
  default: 'default',
  flex: 'flex',
  scale: 'scale',
  priority: 'priority',
  on_demand: 'default',
};

export function readServiceTier(tier: unknown): string | undefined {
  return lookUp(tiers, asText(tier));
}
