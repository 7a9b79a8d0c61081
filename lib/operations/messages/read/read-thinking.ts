/** Reads how much the model is to think. An effort is more exact than a budget, and wins over it. */

import { invalid } from '../../../core/errors/invalid.ts';
import type { FieldPaths } from '../../../core/generation/original/source.ts';
import { type GenerationParameters, reasoningEfforts } from '../../../core/generation/parameters.ts';
import { leaveOut, type Notes, refuse } from './notes.ts';
import type { MessagesBody } from './schema.ts';

type Body = Pick<MessagesBody, 'thinking' | 'output_config' | 'max_tokens'>;
type Parameters = Pick<
  GenerationParameters,
  'reasoning_effort' | 'reasoning_max_tokens' | 'reasoning_summary'
>;

interface ReadThinking {
  readonly parameters: Parameters;
  /** The caller's names of these. */
  readonly paths: FieldPaths;
}

/** The beta in which the budget is one of all thoughts between calls, so that it may be above the limit of one answer. */
const interleaved = 'interleaved-thinking-2025-05-14';

/** `betas`: the header `anthropic-beta`. Throws GatewayError `invalid_request` for a budget that is missing. */
export function readThinking(body: Body, betas: string, notes: Notes): ReadThinking {
  const { type, display } = body.thinking ?? {};
  const paths = { reasoning_summary: 'thinking.display' };
  // Who switches thinking off wants none, whatever effort the answer is worth.
  if (type === 'disabled') {
    return {
      parameters: { reasoning_effort: 'none' },
      paths: { ...paths, reasoning_effort: 'thinking.type' },
    };
  }
  const summary: Parameters = display === 'summarized' ? { reasoning_summary: 'auto' } : {};
  const effort = readEffort(body, notes);
  const budget = type === 'enabled' ? readBudget(body, betas, notes) : undefined;
  if (effort) {
    return {
      parameters: { ...summary, reasoning_effort: effort },
      paths: { ...paths, reasoning_effort: 'output_config.effort' },
    };
  }
  // The effort is the model's own choice where thinking is adaptive.
  if (type !== undefined && type !== 'enabled' && type !== 'adaptive') {
    leaveOut(notes, 'thinking.type', type.slice(0, 64));
  }
  return {
    parameters: { ...summary, ...(budget !== undefined && { reasoning_max_tokens: budget }) },
    paths: { ...paths, reasoning_effort: 'thinking', reasoning_max_tokens: 'thinking.budget_tokens' },
  };
}

function readEffort({ output_config: config }: Body, notes: Notes) {
  if (config?.effort == null) return undefined;
  const known = reasoningEfforts.find((effort) => effort === config.effort);
  if (!known) leaveOut(notes, 'output_config.effort', config.effort.slice(0, 64));
  return known;
}

/** Anthropic refuses a budget that leaves nothing of the answer. One below its minimum is fitted to the target. */
function readBudget({ thinking, max_tokens: limit }: Body, betas: string, notes: Notes): number {
  const { budget_tokens: budget } = thinking ?? {};
  if (budget == null)
    throw invalid('thinking.budget_tokens', "is required where 'thinking.type' is 'enabled'");
  if (budget >= limit && !betas.includes(interleaved)) {
    refuse(notes, 'thinking.budget_tokens', `must be less than 'max_tokens', which is ${limit}`);
  }
  return budget;
}
