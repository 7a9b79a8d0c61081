/** What OpenAI's models refuse in both chat and Responses. */
import { willReason } from '../../normalization/effort.ts';
import type { Rule, RuleSet } from '../../normalization/rule.ts';

/** A reasoning model takes temperature 1 and no other. */
export const temperatureIsOne: Rule = {
  param: 'temperature',
  reason: 'The model supports only a temperature of 1.',
  applies: ({ parameters, target }) => {
    const { refuses, refusesWhileReasoning } = target.model.traits;
    const fixed =
      refuses.includes('temperature') ||
      (refusesWhileReasoning.includes('temperature') && willReason(parameters, target));
    return fixed && parameters.temperature !== 1;
  },
  value: () => 1,
};

/** The cheaper tier is there for reasoning models only. */
export const flexTier: Rule = {
  param: 'service_tier',
  reason: 'The model does not support the flex tier.',
  applies: ({ parameters, target }) =>
    parameters.service_tier === 'flex' && target.model.traits.reasoning === undefined,
};

/** Source: google-deepmind/concordia issue 164, enricoros/big-AGI issue 947. */
export const mediumVerbosity: Rule = {
  param: 'verbosity',
  reason: 'The model supports only a verbosity of medium.',
  applies: ({ parameters, target }) =>
    parameters.verbosity !== 'medium' && target.model.traits.reasoning === undefined,
  value: () => 'medium',
};

/** A prediction makes answers faster, and only on models that do not reason. Source: OpenAI's guide "Predicted outputs". */
export const lonePrediction: Rule = {
  param: 'prediction',
  reason: 'The model does not support a prediction, or not together with other parameters of this request.',
  applies: ({ request, parameters, target }) =>
    target.model.traits.reasoning !== undefined ||
    request.tools.length > 0 ||
    parameters.max_completion_tokens !== undefined ||
    parameters.logprobs === true ||
    (parameters.n ?? 1) > 1 ||
    (parameters.presence_penalty ?? 0) > 0 ||
    (parameters.frequency_penalty ?? 0) > 0,
};
/** Custom tools came with GPT-5: older models, which do not reason, get functions in their place. */
export const customToolsOfReasoners: NonNullable<RuleSet['toolTypes']> = ({ model }) =>
  model.traits.reasoning ? ['custom'] : [];

/** The Responses API has tools of every kind. */
export const allToolTypes: NonNullable<RuleSet['toolTypes']> = (target) => [
  ...customToolsOfReasoners(target),
  'namespace',
  'hosted',
];
