/** Anthropic's own API. */
import { cacheMarkers } from '../../normalization/caching.ts';
import type { Rule } from '../../normalization/rule.ts';
import { atMostChoices, unsupported } from '../../normalization/rules.ts';
import {
  jsonInWords,
  notStrictByTool,
  schemaBesideTools,
} from '../../normalization/schemas/structured-output.ts';
import { unsupportedSearchFields } from '../../normalization/web-search.ts';
import { anthropicMessages, messagesCounter } from '../../protocols/anthropic-messages/protocol.ts';
import { claudeLifetimes } from '../../protocols/claude.ts';
import { claudeParameters, claudeRules } from '../claude/claude-rules.ts';
import { hasKey, keyHeader, type Provider } from '../provider.ts';

/** Capacity with priority is used where the account has some. */
const tierRules: readonly Rule[] = [
  {
    param: 'service_tier',
    reason: 'The provider uses its priority tier by itself, where the account has one.',
    applies: ({ parameters }) => parameters.service_tier === 'priority',
    value: () => 'auto',
  },
  {
    param: 'service_tier',
    reason: 'The provider does not support this service tier.',
    applies: ({ parameters }) => !['auto', 'default'].includes(parameters.service_tier ?? 'auto'),
  },
];

/** The provider has one identifier of the end user. */
const safetyIdentifierAsUser: Rule = {
  param: 'user',
  reason: 'The provider has one identifier of the end user: the safety identifier is sent as such.',
  adds: true,
  applies: ({ parameters }) => parameters.user === undefined && parameters.safety_identifier !== undefined,
  value: ({ parameters }) => parameters.safety_identifier,
};

/** The tool choice `none` has no field for parallel calls. */
const noParallelWithoutCalls: Rule = {
  param: 'parallel_tool_calls',
  reason: 'Tool calls are disabled.',
  always: true,
  applies: ({ parameters }) => parameters.tool_choice === 'none',
};

export const anthropic = {
  name: 'anthropic',
  baseUrl: () => 'https://api.anthropic.com/v1',
  isConfigured: hasKey,
  authorize: keyHeader('x-api-key', undefined, { 'anthropic-version': '2023-06-01' }),
  generation: {
    protocol: anthropicMessages,
    counter: messagesCounter,
    takesImageUrls: true,
    takesFileUrls: true,
    searchesWeb: true,
    rules: {
      ...claudeRules,
      parameters: [
        safetyIdentifierAsUser,
        ...claudeParameters,
        ...unsupported('frequency_penalty', 'presence_penalty', 'seed', 'logit_bias'),
        ...unsupported('logprobs', 'top_logprobs', 'store', 'metadata'),
        ...tierRules,
        noParallelWithoutCalls,
        ...atMostChoices(1),
      ],
      requests: [
        jsonInWords,
        notStrictByTool,
        schemaBesideTools,
        unsupportedSearchFields('contextSize'),
        cacheMarkers({
          sections: () => ['tools', 'system', 'messages'],
          max: 4,
          lifetimes: claudeLifetimes,
          automatic: true,
        }),
      ],
    },
  },
} satisfies Provider;
