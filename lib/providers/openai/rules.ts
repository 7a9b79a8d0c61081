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

/** Custom tools came with GPT-5: older models, which do not reason, get functions in their place. */
export const customToolsOfReasoners: NonNullable<RuleSet['toolForms']> = ({ model }) =>
  model.traits.reasoning ? ['custom'] : [];

/** The Responses API has tools of every kind. */
export const allToolForms: NonNullable<RuleSet['toolForms']> = (target) => [
  ...customToolsOfReasoners(target),
  'namespace',
  'hosted',
];
