/** The Responses API of OpenAI's platform: what it does not support beside chat, and what its models refuse there. */
import { officeTypes } from '../../core/formats/file-type.ts';
import { stripCacheMarkers } from '../../normalization/caching.ts';
import { originalDetail } from '../../normalization/conversation/image-detail.ts';
import {
  onlyEncryptedReasoning,
  onlyFollowedReasoning,
  reasoningOfReasoners,
} from '../../normalization/conversation/returnable-reasoning.ts';
import type { MessageRule, Rule } from '../../normalization/rule.ts';
import {
  onlyReasoningOf,
  openSampling,
  stripNames,
  traitRules,
  unsupported,
} from '../../normalization/rules.ts';
import { openaiStrict } from '../../normalization/schemas/schema-dialects.ts';
import { ownFormats } from '../../normalization/schemas/structured-output.ts';
import { stripWebSearches } from '../../normalization/web-search.ts';
import {
  createOpenaiResponses,
  responsesCompactor,
  responsesCounter,
} from '../../protocols/openai-responses/protocol.ts';
import type { ChatOverResponses, Generation } from '../provider.ts';
import { callInBackground, endInBackground } from './background.ts';
import { chatOverResponsesRules, needsResponses } from './chat-over-responses.ts';
import { allToolTypes, flexTier, mediumVerbosity, temperatureIsOne } from './rules.ts';

/** Parameters of chat that it has no field for. */
const unsupportedChatParameters: readonly Rule[] = unsupported(
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'prediction',
  ...openSampling,
);

/** The same for the Responses operation: its state is stored by the gateway itself, and so are its fields. */
export const unsupportedOnResponses: readonly Rule[] = [
  ...unsupportedChatParameters,
  ...unsupported('n', 'store', 'metadata'),
];

export const summaryOfReasoners: Rule = {
  param: 'reasoning_summary',
  reason: 'The model does not support reasoning.',
  applies: ({ target }) => !target.model.traits.reasoning,
};

/** What a conversation may hold: reasoning of the same account with what it led to, and no names. */
export function messageRules(reasoningFormat: string): readonly MessageRule[] {
  return [
    stripNames,
    onlyReasoningOf(reasoningFormat),
    reasoningOfReasoners,
    onlyEncryptedReasoning,
    onlyFollowedReasoning,
  ];
}

/** A context of reasoning, for models that have some. */
const contextOfReasoners: Rule = { ...summaryOfReasoners, param: 'reasoning_context' };

/** "Expected a value >= 16" is the answer to less. */
const min = 16;

const leastTokens: readonly Rule[] = (['max_completion_tokens', 'max_tokens'] as const).map((param) => ({
  param,
  reason: "The value is below the provider's minimum.",
  applies: ({ parameters }) => (parameters[param] ?? min) < min,
  value: () => min,
}));

/** Models that reason this little cannot use the search. */
const enoughToSearch: Rule = {
  param: 'reasoning_effort',
  reason: 'The model does not support web search with this reasoning effort.',
  applies: ({ request, parameters }) =>
    request.webSearch !== undefined && parameters.reasoning_effort === 'minimal',
  value: () => 'low',
};

/** One of the platform's accounts. */
interface Account {
  /** The format of its encrypted reasoning, which no other account can read. */
  readonly reasoningFormat: string;
  readonly searchesWeb: boolean;
  readonly takesFileUrls: boolean;
  /** Beside PDF. */
  readonly fileTypes: readonly string[];
}

/** Source: OpenAI's guide "File inputs", table of types. Other text is sent as text. */
export const openaiFileTypes: readonly string[] = [
  ...Object.values(officeTypes),
  ...['text/plain', 'text/markdown', 'text/html', 'text/xml', 'application/xml', 'application/json'],
  ...['text/csv', 'text/tab-separated-values'],
];

/** The Responses protocol of an account, for the Responses operation and for chat. */
export function platformResponses({ reasoningFormat, searchesWeb, takesFileUrls, fileTypes }: Account): {
  readonly responses: Generation;
  readonly chatOverResponses: ChatOverResponses;
} {
  const generationWith = (parameters: readonly Rule[], strictByDefault: boolean): Generation => ({
    counter: responsesCounter,
    compactor: responsesCompactor,
    protocol: createOpenaiResponses({
      reasoningFormat,
      reasonerSystemRole: 'developer',
      hasCustomTools: true,
      strictByDefault,
    }),
    callRun: callInBackground,
    endRun: endInBackground,
    takesImageUrls: true,
    routesByCacheKey: true,
    takesFileUrls,
    searchesWeb,
    rules: {
      toolTypes: allToolTypes,
      parameters: [
        ...traitRules,
        enoughToSearch,
        temperatureIsOne,
        flexTier,
        mediumVerbosity,
        ...leastTokens,
        summaryOfReasoners,
        contextOfReasoners,
        ...parameters,
        ...ownFormats,
      ],
      conversation: [originalDetail],
      schemas: { strictTools: openaiStrict, output: { dialect: openaiStrict, hasLooseMode: true } },
      messages: [...(searchesWeb ? [] : [stripWebSearches]), ...messageRules(reasoningFormat)],
      requests: [stripCacheMarkers],
      fileTypes,
    },
  });
  return {
    responses: generationWith(unsupportedOnResponses, true),
    chatOverResponses: {
      generation: generationWith([...chatOverResponsesRules, ...unsupportedChatParameters], false),
      isNeeded: (request, target) => needsResponses(request, target, reasoningFormat),
    },
  };
}
