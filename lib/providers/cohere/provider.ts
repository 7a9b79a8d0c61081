/** Cohere's own API. */

import { pathOf } from '../../core/generation/original/source.ts';
import type { ParameterName } from '../../core/generation/request.ts';
import { stripCacheMarkers } from '../../normalization/caching.ts';
import { originalDetail } from '../../normalization/conversation/image-detail.ts';
import { onlyTextInResults } from '../../normalization/conversation/tool-results.ts';
import { always, type Change, type RequestRule, type Rule } from '../../normalization/rule.ts';
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
import { strictToolsWhere } from '../../normalization/schemas/structured-output.ts';
import { stripWebSearches } from '../../normalization/web-search.ts';
import { cohereFormat } from '../../protocols/cohere-chat/messages.ts';
import { cohereChat } from '../../protocols/cohere-chat/protocol.ts';
import { cohereEmbeddings } from '../../protocols/cohere-embeddings/protocol.ts';
import { cohereTranscriptions } from '../../protocols/cohere-transcriptions.ts';
import { cohereRerank } from '../../protocols/rerank.ts';
import { embeddingsBy } from '../embedding-rules.ts';
import { bearer, hasKey, keyHeader, type Provider } from '../provider.ts';
import { rerankBy } from '../rerank-rules.ts';
import { languageNeeded, onlyTypes, transcriptionBy } from '../transcription-rules.ts';

/** A tool that must be called becomes the only one, and some tool must be called. */
const onlyNamedTool: RequestRule = (request) => {
  const { tools, parameters } = request;
  const choice = parameters.tool_choice;
  if (typeof choice !== 'object') return undefined;
  const reason = 'The provider cannot force a specific tool, only any tool.';
  const others = tools.flatMap((tool): Change[] => {
    const { name } = tool;
    if (name === choice.name) return [];
    return [{ param: pathOf(tool), action: 'strip', before: { name }, after: null, reason }];
  });
  return {
    request: {
      ...request,
      tools: tools.filter(({ name }) => name === choice.name),
      parameters: { ...parameters, tool_choice: 'required' },
    },
    changes: [
      ...others,
      { param: 'tool_choice', action: 'override', before: choice, after: 'required', reason },
    ],
  };
};

const looseTools = strictToolsWhere(() => false);

/** There is one switch for all tools: with one that is not strict, none is. */
const strictTogether: RequestRule = always((request, target) =>
  request.tools.every(({ strict }) => strict) ? undefined : looseTools(request, target),
);

/** Brings a number into the range that the provider takes. */
function within(param: ParameterName & ('top_p' | `${string}_penalty`), low: number, high: number): Rule {
  const nearest = (value: number) => Math.min(Math.max(value, low), high);
  return {
    param,
    reason: `The provider accepts values between ${low} and ${high}.`,
    applies: ({ parameters }) => nearest(parameters[param] ?? low) !== (parameters[param] ?? low),
    value: ({ parameters }) => nearest(parameters[param] ?? low),
  };
}

const onePenalty: Rule = {
  param: 'presence_penalty',
  reason: 'The provider accepts only one of the two penalties.',
  applies: ({ parameters }) => parameters.frequency_penalty !== undefined,
};

/** JSON mode and tools exclude each other. */
const formatWithoutTools = formatInWords(({ tools }) => (tools.length > 0 ? undefined : 'schema'));

export const cohere: Provider = {
  name: 'cohere',
  isConfigured: hasKey,
  baseUrl: () => 'https://api.cohere.com/v2',
  authorize: keyHeader('authorization', bearer),
  generation: {
    protocol: cohereChat,
    takesImageUrls: true,
    rules: {
      parameters: [
        ...traitRules,
        ...temperatureRules,
        ...unsupported('logit_bias', 'logprobs', 'top_logprobs', 'parallel_tool_calls'),
        ...unsupported('user', 'store', 'metadata', 'service_tier', ...openaiOnly),
        ...unsupported(...openSamplingButTopK),
        noModeration,
        onePenalty,
        within('top_p', 0.01, 0.99),
        within('frequency_penalty', 0, 1),
        within('presence_penalty', 0, 1),
        ...atMostChoices(1),
      ],
      requests: [formatWithoutTools, onlyNamedTool, strictTogether, stripCacheMarkers],
      conversation: [onlyTextInResults, originalDetail],
      messages: [stripNames, onlyReasoningOf(cohereFormat), stripWebSearches],
    },
  },
  embeddings: embeddingsBy(() => cohereEmbeddings),
  rerank: rerankBy(cohereRerank, 'max_tokens_per_doc', 'priority'),
  transcription: transcriptionBy(
    cohereTranscriptions,
    ['temperature', 'language'],
    languageNeeded,
    onlyTypes('flac', 'mp3', 'mpeg', 'ogg', 'wav'),
  ),
};
