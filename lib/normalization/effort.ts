/** Reasoning effort: the supported effort nearest to the requested one, and whether the model will reason. */
import type { Target } from '../core/catalog/model.ts';
import { reasoningEfforts } from '../core/generation/parameters.ts';
import type { GenerationParameters, ReasoningEffort } from '../core/generation/request.ts';

/** The requested effort if supported, else the nearest lower one that still reasons, else the nearest higher one. */
export function nearestEffort(
  requested: ReasoningEffort,
  supported: readonly ReasoningEffort[],
): ReasoningEffort {
  if (supported.includes(requested)) return requested;
  const rank = reasoningEfforts.indexOf(requested);
  const lower = reasoningEfforts
    .slice(0, rank)
    .filter((effort) => effort !== 'none' && supported.includes(effort));
  const higher = reasoningEfforts.slice(rank + 1).filter((effort) => supported.includes(effort));
  return lower.at(-1) ?? higher[0] ?? requested;
}

/** Whether the target will reason on this request. */
export function willReason(parameters: GenerationParameters, target: Target): boolean {
  const reasoning = target.model.traits.reasoning;
  if (!reasoning) return false;
  const { reasoning_effort: effort, reasoning_max_tokens: tokens } = parameters;
  if (tokens && effort === undefined) return true;
  const asked = effort ?? (tokens === 0 ? 'none' : reasoning.defaultEffort);
  return nearestEffort(asked, reasoning.efforts) !== 'none';
}
