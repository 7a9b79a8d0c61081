/** A number of tokens for reasoning: in the range of a model that takes one, else as the nearest effort. */
import { reasoningEfforts, thinkingTokens } from '../core/generation/parameters.ts';
import type { ReasoningEffort } from '../core/generation/request.ts';
import { nearestEffort } from './effort.ts';
import type { Rule, RuleContext } from './rule.ts';

const takesTokens = ({ target }: RuleContext): boolean => target.model.traits.reasoning?.style === 'budget';

/** The effort that stands for about as many tokens. */
function effortOf(tokens: number): ReasoningEffort {
  const distance = (effort: ReasoningEffort) => Math.abs(thinkingTokens[effort] - tokens);
  if (tokens === 0) return 'none';
  const [first = 'minimal', ...others] = reasoningEfforts.filter((effort) => effort !== 'none');
  return others.reduce((best, effort) => (distance(effort) < distance(best) ? effort : best), first);
}

/** Undefined where the limit of the answer leaves no room. */
function fitted({ parameters, target }: RuleContext): number | undefined {
  const { reasoning_max_tokens: tokens = 0, max_tokens, max_completion_tokens = max_tokens } = parameters;
  const { efforts = [], budget } = target.model.traits.reasoning ?? {};
  if (tokens === 0 && efforts.includes('none')) return 0;
  const limit = Math.min(
    max_completion_tokens ?? Number.POSITIVE_INFINITY,
    target.model.limits.output ?? Number.POSITIVE_INFINITY,
  );
  const [low, high] = [budget?.min ?? 1, Math.min(budget?.max ?? Number.POSITIVE_INFINITY, limit - 1)];
  return high < low ? undefined : Math.min(Math.max(tokens, low), high);
}

const asEffort = 'The model takes an effort, and no number of tokens.';

/** Before the rules on efforts. */
export const reasoningTokenRules: readonly Rule[] = [
  {
    param: 'reasoning_max_tokens',
    reason: 'The model does not support reasoning.',
    applies: ({ target }) => target.model.traits.reasoning === undefined,
  },
  {
    param: 'reasoning_effort',
    reason: 'The number of tokens for reasoning overrides this parameter.',
    applies: (context) => takesTokens(context) && context.parameters.reasoning_max_tokens !== undefined,
  },
  {
    param: 'reasoning_effort',
    reason: asEffort,
    adds: true,
    applies: (context) =>
      !takesTokens(context) &&
      context.parameters.reasoning_max_tokens !== undefined &&
      context.parameters.reasoning_effort === undefined,
    value: ({ parameters, target }) =>
      nearestEffort(
        effortOf(parameters.reasoning_max_tokens ?? 0),
        target.model.traits.reasoning?.efforts ?? [],
      ),
  },
  { param: 'reasoning_max_tokens', reason: asEffort, applies: (context) => !takesTokens(context) },
  {
    param: 'reasoning_max_tokens',
    reason: "The value is outside of the model's range, or leaves nothing of the answer's limit.",
    applies: (context) => fitted(context) !== context.parameters.reasoning_max_tokens,
    value: fitted,
  },
];
