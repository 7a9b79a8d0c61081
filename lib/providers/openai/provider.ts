/** OpenAI: the native protocol. Its rules are what its reasoning models refuse. */
import type { Target } from '../../core/catalog/model.ts';
import { openaiFormat } from '../../core/generation/reasoning-format.ts';
import { stripCacheMarkers } from '../../normalization/caching.ts';
import { originalDetail } from '../../normalization/conversation/image-detail.ts';
import { onlyTextInResults } from '../../normalization/conversation/tool-results.ts';
import { nearestEffort } from '../../normalization/effort.ts';
import type { Rule } from '../../normalization/rule.ts';
import {
  onlyReasoningOf,
  openSampling,
  responsesOnly,
  traitRules,
  unsupported,
} from '../../normalization/rules.ts';
import { openaiStrict } from '../../normalization/schemas/schema-dialects.ts';
import { ownFormats } from '../../normalization/schemas/structured-output.ts';
import { openaiChat } from '../../protocols/openai-chat/protocol.ts';
import { openaiDialect } from '../../protocols/openai-embeddings.ts';
import { openaiImages } from '../../protocols/openai-images/protocol.ts';
import { openaiModerations } from '../../protocols/openai-moderations.ts';
import { openaiRealtime } from '../../protocols/openai-realtime.ts';
import { openaiSpeech } from '../../protocols/openai-speech.ts';
import { openaiTranscriptions } from '../../protocols/openai-transcriptions.ts';
import { compatibleEmbeddings } from '../compatible-embeddings.ts';
import { compressionRule, imageTraitRules } from '../image-rules.ts';
import { bearer, hasKey, keyHeader, type Provider } from '../provider.ts';
import { speechBy } from '../speech-rules.ts';
import { transcriptionBy, whisperParameters } from '../transcription-rules.ts';
import { refusesTools } from './chat-over-responses.ts';
import { openaiFileTypes, platformResponses } from './responses.ts';
import {
  customToolsOfReasoners,
  flexTier,
  lonePrediction,
  mediumVerbosity,
  temperatureIsOne,
} from './rules.ts';

/** Reasoning models answer 400 to the old name: "Use 'max_completion_tokens' instead." */
const renameMaxTokens: readonly Rule[] = [
  {
    param: 'max_completion_tokens',
    reason: 'The model supports only the newer name of this limit.',
    adds: true,
    applies: ({ parameters, target }) =>
      target.model.traits.refuses.includes('max_tokens') &&
      parameters.max_tokens !== undefined &&
      parameters.max_completion_tokens === undefined,
    value: ({ parameters }) => parameters.max_tokens,
  },
  {
    param: 'max_tokens',
    reason: 'The model supports only the newer name of this limit.',
    applies: ({ target }) => target.model.traits.refuses.includes('max_tokens'),
  },
];

const effortsOf = ({ model }: Target) => model.traits.reasoning?.efforts ?? [];

/** What goes over Responses otherwise: only chat has several choices, and these have precedence over the effort. */
const effortsOfChat: readonly Rule[] = [
  {
    param: 'reasoning_effort',
    reason: 'The provider does not support several choices with both tools and reasoning.',
    adds: true,
    applies: ({ request, parameters, target }) => refusesTools({ ...request, parameters }, target),
    value: () => 'none',
  },
  {
    param: 'reasoning_effort',
    reason: 'The provider does not support several choices with this effort.',
    applies: ({ parameters, target }) =>
      parameters.reasoning_effort === 'max' && effortsOf(target).includes('max'),
    value: ({ target }) =>
      nearestEffort(
        'max',
        effortsOf(target).filter((effort) => effort !== 'max'),
      ),
  },
];

export const openai = {
  name: 'openai',
  baseUrl: () => 'https://api.openai.com/v1',
  isConfigured: hasKey,
  authorize: keyHeader('authorization', bearer),
  generation: {
    protocol: openaiChat,
    takesImageUrls: true,
    routesByCacheKey: true,
    rules: {
      toolTypes: customToolsOfReasoners,
      parameters: [
        ...effortsOfChat,
        ...renameMaxTokens,
        ...traitRules,
        temperatureIsOne,
        flexTier,
        mediumVerbosity,
        lonePrediction,
        ...unsupported(...responsesOnly, ...openSampling),
        ...ownFormats,
      ],
      schemas: { strictTools: openaiStrict, output: { dialect: openaiStrict, hasLooseMode: true } },
      conversation: [onlyTextInResults, originalDetail],
      messages: [onlyReasoningOf()],
      requests: [stripCacheMarkers],
    },
  },
  ...platformResponses({
    reasoningFormat: openaiFormat,
    searchesWeb: true,
    takesFileUrls: true,
    fileTypes: openaiFileTypes,
  }),
  // GPT Image supports every parameter; what a model does not support is in its catalog row.
  images: { protocol: openaiImages, rules: [...imageTraitRules(), compressionRule] },
  embeddings: compatibleEmbeddings(openaiDialect),
  moderations: { protocol: openaiModerations },
  speech: speechBy(openaiSpeech),
  transcription: transcriptionBy(openaiTranscriptions, whisperParameters),
  realtime: { protocol: openaiRealtime },
} satisfies Provider;
