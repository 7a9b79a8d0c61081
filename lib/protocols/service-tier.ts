/** Service tiers as reported by OpenAI's protocols and their hosts. */
import { asText, lookUp } from './json.ts';

/** The public tiers by the names that hosts use. Other tiers are not reported. */
const tiers: Readonly<Record<string, string>> = {
  auto: 'auto',
  default: 'default',
  flex: 'flex',
  scale: 'scale',
  priority: 'priority',
  fast: 'fast',
  on_demand: 'default',
};

export function readServiceTier(tier: unknown): string | undefined {
  return lookUp(tiers, asText(tier));
}
