/** Anthropic's own API. */
import type { Rule } from '../../normalization/rule.ts';
import {
  atMostChoices,
  lacking,
  onlyReasoningOf,
  temperatureRules,
  traitRules,
  withoutNames,
} from '../../normalization/rules.ts';
import { anthropicMessages } from '../../protocols/anthropic-messages/protocol.ts';
import { hasKey, keyHeader, type Provider } from '../provider.ts';

const noFlexTier: Rule = {
  param: 'service_tier',
  reason: 'The provider has no flex tier.',
  applies: ({ parameters }) => parameters.service_tier === 'flex',
};

export const anthropic: Provider = {
  name: 'anthropic',
  baseUrl: () => 'https://api.anthropic.com/v1',
  isConfigured: hasKey,
  authorize: keyHeader('x-api-key', undefined, { 'anthropic-version': '2023-06-01' }),
  generation: {
    protocol: anthropicMessages,
    takesImageUrls: true,
    rules: {
      parameters: [
        ...traitRules,
        ...temperatureRules,
        ...lacking('frequency_penalty', 'presence_penalty', 'seed', 'logit_bias'),
        ...lacking('logprobs', 'top_logprobs', 'store', 'metadata'),
        noFlexTier,
        atMostChoices(1),
      ],
      messages: [withoutNames, onlyReasoningOf('anthropic-claude-v1')],
    },
  },
};
