/** Google's Gemini API. */
import type { Target } from '../../core/catalog/model.ts';
import { geminiFormat, geminiStepFormat } from '../../core/generation/reasoning-format.ts';
import type { GenerationParameters, ReasoningEffort, ResponseFormat } from '../../core/generation/request.ts';
import { cacheMarkers } from '../../normalization/caching.ts';
import { wrapBrokenArguments } from '../../normalization/conversation/broken-arguments.ts';
import {
  onlyPlacedSignatures,
  onlySignaturesOfModel,
} from '../../normalization/conversation/returnable-reasoning.ts';
import { callsFollowUser, withoutBlankUsers } from '../../normalization/conversation/strict-turns.ts';
import { always, type MessageRule, type Rule } from '../../normalization/rule.ts';
import {
  atMostChoices,
  noModeration,
  onlyReasoningOf,
  openaiOnly,
  openSamplingButTopK,
  stripNames,
  temperatureRules,
  traitRules,
  unsupported,
} from '../../normalization/rules.ts';
import { formatInWords } from '../../normalization/schemas/format-in-words.ts';
import { geminiOutput } from '../../normalization/schemas/schema-dialects.ts';
import { ownFormats, strictToolsWhere } from '../../normalization/schemas/structured-output.ts';
import { noWebSearch, stripWebSearches, unsupportedSearchFields } from '../../normalization/web-search.ts';
import { googleEmbeddings } from '../../protocols/google-embeddings.ts';
import { budgetOf } from '../../protocols/google-generate-content/encode.ts';
import { geminiCounter, googleGenerateContent } from '../../protocols/google-generate-content/protocol.ts';
import { hasSteps } from '../../protocols/google-generate-content/steps.ts';
import { googleSpeech } from '../../protocols/google-speech.ts';
import { googleTranscriptions } from '../../protocols/google-transcriptions.ts';
import { embeddingsBy } from '../embedding-rules.ts';
import { hasKey, keyHeader, type Provider } from '../provider.ts';
import { speechBy } from '../speech-rules.ts';
import { geminiTranscription, transcriptionBy } from '../transcription-rules.ts';
import { callWithCache } from './cached-content.ts';
import { geminiImages } from './images.ts';

const isOnYouTube = (url: string): boolean =>
  /^https:\/\/((www|m)\.)?(youtube\.com\/(watch\?|shorts\/|live\/|embed\/)|youtu\.be\/)/i.test(url);

const formatIs = (format: ResponseFormat | undefined): boolean =>
  format?.type === 'json_object' || format?.type === 'json_schema';

/** Thinking counts within the limit of output, and a budget above it leaves nothing for the answer. */
const budgetWithinLimit: Rule = {
  param: 'reasoning_effort',
  reason: 'The token limit allows no larger thinking budget.',
  applies: ({ parameters, target }) =>
    target.model.traits.reasoning?.style === 'budget' &&
    effortWithin(parameters, target) !== parameters.reasoning_effort,
  value: ({ parameters, target }) => effortWithin(parameters, target),
};

/** The effort, or the highest whose budget is below the limit, else the lowest. */
function effortWithin(parameters: GenerationParameters, target: Target): ReasoningEffort | undefined {
  const { reasoning_effort: wanted } = parameters;
  const { efforts = [] } = target.model.traits.reasoning ?? {};
  if (fits(wanted, parameters, target)) return wanted;
  return efforts.findLast((effort) => fits(effort, parameters, target)) ?? efforts[0];
}

function fits(
  effort: ReasoningEffort = 'none',
  parameters: GenerationParameters,
  { model }: Target,
): boolean {
  const { max_tokens, max_completion_tokens = max_tokens ?? Number.POSITIVE_INFINITY } = parameters;
  const { reasoning } = model.traits;
  return reasoning === undefined || effort === 'none' || budgetOf(effort, reasoning) < max_completion_tokens;
}

/** Where other providers take 0 for no limit, Google refuses it. */
const noTopK: Rule = {
  param: 'top_k',
  reason: 'The value means no limit, which is what the provider does without it.',
  applies: ({ parameters }) => parameters.top_k === 0,
};

const isThird = ({ model }: Target): boolean => model.traits.reasoning?.style === 'level';

const searchRules: readonly Rule[] = [
  noWebSearch(
    'type',
    ({ request, target }) => request.tools.length > 0 && !isThird(target),
    (model) => `The model '${model}' does not support web search together with functions.`,
  ),
  noWebSearch(
    'allowedDomains',
    ({ request }) => request.webSearch?.allowedDomains !== undefined,
    (model) => `The web search of the model '${model}' does not support allowed_domains.`,
  ),
  {
    param: 'tool_choice',
    reason: 'The model cannot be forced to search the web.',
    always: true,
    applies: ({ request, parameters: { tool_choice: choice } }) =>
      choice === 'web_search' || (choice === 'required' && request.tools.length === 0),
    value: () => 'auto',
  },
];

/**
 * The tiers that have a price of their own are those that the model has. Sources: "Flex inference", "Priority inference" and
 * "Pricing" of the Gemini API; without a tier a request is served in the default.
 */
const tierRules: readonly Rule[] = [
  {
    param: 'service_tier',
    reason: 'The provider serves a request in the default tier when none is set.',
    applies: ({ parameters }) => parameters.service_tier === 'auto',
  },
  {
    param: 'service_tier',
    reason: 'The model does not support this service tier.',
    applies: ({ parameters: { service_tier: tier = 'default' }, target }) =>
      tier !== 'default' && !hasTier(target, tier),
  },
];

const hasTier = ({ model, deployment }: Target, tier: string): boolean =>
  (tier === 'flex' || tier === 'priority') &&
  (deployment.prices ?? model.prices).some(({ price }) => price.serviceTiers?.[tier] !== undefined);

const formatRules: readonly Rule[] = [
  {
    param: 'response_format',
    reason: 'The model is forced to call a tool, so it writes no text.',
    applies: ({ request, parameters: { tool_choice: choice, response_format: format } }) =>
      formatIs(format) &&
      request.tools.length > 0 &&
      choice !== undefined &&
      choice !== 'auto' &&
      choice !== 'none',
  },
];

/** Models before version 3 write no JSON beside tools. */
const formatWithoutTools = formatInWords(({ tools, webSearch }, target) =>
  (tools.length > 0 || webSearch) && !isThird(target) ? undefined : 'schema',
);

/** The models with thinking levels check calls against their schemas. */
const strictTools = always(strictToolsWhere(isThird));

/** A search whose steps go back needs no other form. */
const searchesWithoutSteps: MessageRule = {
  ...stripWebSearches,
  apply: (message, target) => (hasSteps(message) ? undefined : stripWebSearches.apply(message, target)),
};

/** `formats`: of the reasoning that goes back. */
export const messageRules = (...formats: readonly string[]): readonly MessageRule[] => [
  stripNames,
  onlyReasoningOf(...formats),
  onlyPlacedSignatures,
  onlySignaturesOfModel,
  searchesWithoutSteps,
];

export const google = {
  name: 'google',
  baseUrl: () => 'https://generativelanguage.googleapis.com/v1beta',
  isConfigured: hasKey,
  authorize: keyHeader('x-goog-api-key'),
  generation: {
    protocol: googleGenerateContent,
    call: callWithCache,
    storesContent: true,
    counter: geminiCounter,
    takesImageUrls: false,
    takesVideoUrl: isOnYouTube,
    searchesWeb: true,
    searchesBesideFunctions: isThird,
    // `toolUsePromptTokenCount` is one count beside `promptTokenCount`. Source: UsageMetadata of the Gemini API.
    toolsReadOnce: true,
    rules: {
      parameters: [
        ...traitRules,
        budgetWithinLimit,
        ...temperatureRules,
        ...unsupported('user', 'store', 'metadata', 'logit_bias', 'parallel_tool_calls'),
        ...tierRules,
        ...unsupported(...openSamplingButTopK, ...openaiOnly),
        noModeration,
        noTopK,
        ...searchRules,
        ...formatRules,
        ...ownFormats,
        ...atMostChoices(8),
      ],
      conversation: [wrapBrokenArguments, withoutBlankUsers, callsFollowUser],
      schemas: { output: { dialect: geminiOutput, hasLooseMode: false } },
      messages: messageRules(geminiFormat, geminiStepFormat),
      requests: [
        formatWithoutTools,
        strictTools,
        unsupportedSearchFields('contextSize', 'userLocation'),
        always(cacheMarkers({ sections: () => ['tools', 'system', 'messages'], max: 1, automatic: false })),
      ],
    },
  },
  images: geminiImages,
  speech: speechBy(googleSpeech),
  transcription: transcriptionBy(googleTranscriptions, geminiTranscription),
  embeddings: embeddingsBy(() => googleEmbeddings),
} satisfies Provider;
