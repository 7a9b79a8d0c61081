/** xAI. What its models refuse depends on the model, so it is in the catalog. */
import { stripCacheMarkers } from '../../normalization/caching.ts';
import type { Rule } from '../../normalization/rule.ts';
import { temperatureRules, traitRules, unsupported } from '../../normalization/rules.ts';
import { stripWebSearches, unsupportedSearchFields } from '../../normalization/web-search.ts';
import { createOpenaiResponses } from '../../protocols/openai-responses/protocol.ts';
import { lackingOnResponses, messageRules, summaryOfReasoners } from '../openai/responses.ts';
import { compatibleProvider } from '../openai-compatible.ts';
import type { Provider } from '../provider.ts';
import { grokImages } from './images.ts';

const reasoningFormat = 'xai-responses-v1';

/** On the Responses wire xAI names fewer candidates for a token than OpenAI. */
const maxCandidates = 8;

const fewerCandidates: Rule = {
  param: 'top_logprobs',
  reason: 'The provider names no more candidates.',
  applies: ({ parameters }) => (parameters.top_logprobs ?? 0) > maxCandidates,
  value: () => maxCandidates,
};

export const xai: Provider = {
  ...compatibleProvider({
    name: 'xai',
    baseUrl: 'https://api.x.ai/v1',
    lacks: ['logit_bias', 'service_tier'],
  }),
  responses: {
    protocol: createOpenaiResponses({
      reasoningFormat,
      searchType: 'web_search',
      includesReasoningOnly: true,
    }),
    takesImageUrls: true,
    takesFileUrls: true,
    searchesWeb: true,
    rules: {
      parameters: [
        ...traitRules,
        ...temperatureRules,
        fewerCandidates,
        summaryOfReasoners,
        ...lackingOnResponses,
        ...unsupported('service_tier', 'verbosity', 'max_tool_calls', 'safety_identifier'),
      ],
      // It tells of a search in a form of its own, and is not known to take this wire's.
      messages: [stripWebSearches, ...messageRules(reasoningFormat)],
      // It knows the names of both from OpenAI, and refuses requests that use them.
      requests: [unsupportedSearchFields('contextSize', 'userLocation'), stripCacheMarkers],
    },
  },
  images: grokImages,
};
