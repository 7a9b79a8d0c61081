/**
 * The rules that follow from a model's traits, whichever provider serves it. Providers add what their protocol does not
 * support.
 *
 * Order matters: effort comes first, because what a model refuses may depend on whether it reasons.
 */
import type { Traits } from '../core/catalog/model.ts';
import { hasTools } from '../core/generation/offers.ts';
import type { Message, ParameterName, ReasoningDetail, ToolChoice } from '../core/generation/request.ts';
import { characters, summarize } from './conversation/summarize.ts';
import { nearestEffort, willReason } from './effort.ts';
import { reasoningTokenRules } from './reasoning-tokens.ts';
import type { MessageRule, Rule, RuleContext } from './rule.ts';

/** Sampling parameters that hosts of open models have, and OpenAI has not. */
export const openSampling = [
  'top_k',
  'min_p',
  'repetition_penalty',
] as const satisfies readonly ParameterName[];

/** Those of them that protocols with `top_k` have not. */
export const openSamplingButTopK: readonly ParameterName[] = openSampling.filter((name) => name !== 'top_k');

const platform = [
  'verbosity',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'safety_identifier',
] as const satisfies readonly ParameterName[];

/** Parameters that an answer does not depend on: they are stripped if the model refuses them. */
const strippable: readonly ParameterName[] = [
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'seed',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'parallel_tool_calls',
  'service_tier',
  'store',
  'metadata',
  'user',
  ...platform,
  ...openSampling,
];

/** Parameters that only the Responses API has. */
export const responsesOnly: readonly ParameterName[] = [
  'reasoning_summary',
  'reasoning_context',
  'max_tool_calls',
  'context_management',
  'image',
  'access_programs',
];

/** Parameters that only OpenAI's own platform has, and some hosts after its example. */
export const openaiOnly: readonly ParameterName[] = [...responsesOnly, ...platform];

/** A safety check that the caller asked for is not left out: the gateway has it made. */
export const noModeration: Rule = {
  param: 'moderation',
  reason: 'The gateway has input and output classified itself.',
  always: true,
  applies: () => true,
};

/** Whether the model refuses a parameter, always or while it reasons. */
export const refused = (name: ParameterName) => (context: RuleContext) => {
  const { traits } = context.target.model;
  if (traits.refuses.includes(name)) return true;
  return traits.refusesWhileReasoning.includes(name) && willReason(context.parameters, context.target);
};

const effortRules: readonly Rule[] = [
  {
    param: 'reasoning_effort',
    reason: 'The model does not support reasoning.',
    applies: ({ target }) => !target.model.traits.reasoning,
  },
  {
    param: 'reasoning_effort',
    reason: 'The model does not support this effort. The nearest supported effort is used.',
    applies: ({ parameters, target }) =>
      !target.model.traits.reasoning?.efforts.includes(parameters.reasoning_effort ?? 'none'),
    value: ({ parameters, target }) =>
      nearestEffort(parameters.reasoning_effort ?? 'none', target.model.traits.reasoning?.efforts ?? []),
  },
];

const lengthRules: readonly Rule[] = [
  {
    param: 'max_tokens',
    reason: 'Two token limits are set. The one with the newer name is used.',
    always: true,
    applies: ({ parameters }) => parameters.max_completion_tokens !== undefined,
  },
  ...(['max_tokens', 'max_completion_tokens'] as const).map(
    (param): Rule => ({
      param,
      reason: "The value is above the model's maximum output.",
      applies: ({ parameters, target }) =>
        (parameters[param] ?? 0) > (target.model.limits.output ?? Number.POSITIVE_INFINITY),
      value: ({ target }) => target.model.limits.output ?? undefined,
    }),
  ),
];

const logprobsRule: Rule = {
  param: 'top_logprobs',
  reason: 'The parameter has no effect without logprobs.',
  applies: ({ parameters }) => parameters.logprobs !== true,
};

/** The rules on `temperature`, for providers without their own. */
export const temperatureRules: readonly Rule[] = [
  {
    param: 'temperature',
    reason: 'The model does not support this parameter.',
    applies: refused('temperature'),
  },
  {
    param: 'temperature',
    reason: "The value is above the model's maximum.",
    applies: ({ parameters, target }) =>
      (parameters.temperature ?? 0) > (target.model.traits.temperature?.max ?? Number.POSITIVE_INFINITY),
    value: ({ target }) => target.model.traits.temperature?.max,
  },
];

const toolRules: readonly Rule[] = [
  {
    param: 'tool_choice',
    reason: 'The model does not support tools.',
    adds: true,
    applies: ({ request, target }) =>
      request.tools.length > 0 && target.model.traits.toolChoices?.length === 0,
    refuses: {
      path: () => 'tools',
      message: ({ target }) => `The model '${target.model.id}' does not support tools.`,
    },
  },
  {
    param: 'tool_choice',
    reason: 'The request has no tools.',
    applies: ({ request }) => !hasTools(request) && request.webSearch === undefined,
  },
  {
    param: 'parallel_tool_calls',
    reason: 'The request has no tools.',
    applies: ({ request }) => !hasTools(request),
  },
  {
    param: 'tool_choice',
    reason: 'The model cannot be forced to call a tool.',
    applies: ({ parameters, target }) => !takesToolChoice(target.model.traits, parameters.tool_choice),
    value: () => 'auto',
  },
];

function takesToolChoice(traits: Traits, choice: ToolChoice | undefined): boolean {
  if (!traits.toolChoices || choice === undefined) return true;
  if (choice === 'web_search') return traits.toolChoices.includes('named');
  return traits.toolChoices.includes(typeof choice === 'object' ? 'named' : choice);
}

/** The rules of every target, except those on `temperature`. */
export const traitRules: readonly Rule[] = [
  ...reasoningTokenRules,
  ...effortRules,
  ...lengthRules,
  ...strippable.map((param) => ({
    param,
    reason: 'The model does not support this parameter.',
    applies: refused(param),
  })),
  logprobsRule,
  ...toolRules,
];

/** Rules for parameters that a provider does not support, in any operation. */
export function unsupported<Param extends string>(...params: readonly Param[]) {
  return params.map((param) => ({
    param,
    reason: 'The provider does not support this parameter.',
    applies: () => true,
  }));
}

/** Rules that reject more choices than a protocol can give, and strip an `n` of 1 where there is always one choice. */
export function atMostChoices(max: number): readonly Rule[] {
  const tooMany: Rule = {
    param: 'n',
    reason: 'The provider supports fewer choices.',
    applies: ({ parameters }) => (parameters.n ?? 1) > max,
    refuses: {
      message: ({ target }) =>
        `The model '${target.model.id}' supports at most ${max} ${max === 1 ? 'choice' : 'choices'}.`,
    },
  };
  const onlyOne: Rule = {
    param: 'n',
    reason: 'The provider always returns one choice.',
    applies: () => true,
  };
  return max === 1 ? [tooMany, onlyOne] : [tooMany];
}

/** Strips participant names. */
export const stripNames: MessageRule = {
  reason: 'The provider does not support participant names.',
  apply: (message) => {
    if (message.name === undefined) return undefined;
    const { name, ...rest } = message;
    return { message: rest, field: 'name', before: summarize(name) };
  },
};

/**
 * Strips reasoning of other provider families, which the target cannot verify. Call it without formats for a protocol that
 * carries no reasoning.
 */
export function onlyReasoningOf(...formats: readonly string[]): MessageRule {
  return {
    reason: 'Reasoning can be returned only to the provider family that created it.',
    always: true,
    apply: (message: Message) => {
      if (message.role !== 'assistant') return undefined;
      const kept = message.reasoningDetails.filter((detail) => formats.includes(detail.format));
      const foreign = kept.length < message.reasoningDetails.length;
      if (!foreign && message.reasoning === undefined) return undefined;
      const { reasoning, ...rest } = message;
      const edited = { ...rest, reasoningDetails: kept };
      if (!foreign)
        return { message: edited, field: 'reasoning', before: characters(reasoning?.length ?? 0) };
      const [before, after] = [message.reasoningDetails, kept].map(outline);
      return { message: edited, field: 'reasoningDetails', before, after: kept.length > 0 ? after : null };
    },
  };
}

/** The kinds of details, without their content. */
function outline(details: readonly ReasoningDetail[]): readonly string[] {
  return details.map(({ type, format }) => `${type} (${format})`);
}
