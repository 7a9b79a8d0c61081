/** xAI: its row of the host table, its Responses API and its images. */

import { pdfType } from '../../core/formats/file-type.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import { stripCacheMarkers } from '../../normalization/caching.ts';
import { originalDetail } from '../../normalization/conversation/image-detail.ts';
import { noFilesInResults } from '../../normalization/conversation/tool-results.ts';
import type { Rule } from '../../normalization/rule.ts';
import {
  atMostChoices,
  noModeration,
  temperatureRules,
  traitRules,
  unsupported,
} from '../../normalization/rules.ts';
import { stripWebSearches, unsupportedSearchFields } from '../../normalization/web-search.ts';
import { createOpenaiResponses } from '../../protocols/openai-responses/protocol.ts';
import { xaiImages } from '../../protocols/xai-images/protocol.ts';
import { xaiSpeech } from '../../protocols/xai-speech.ts';
import { xaiTranscriptions } from '../../protocols/xai-transcriptions.ts';
import { hostProvider } from '../hosts/host-provider.ts';
import { hosts } from '../hosts/hosts.ts';
import { compressionRule, imageTraitRules, noPartialImages } from '../image-rules.ts';
import { messageRules, summaryOfReasoners, unsupportedOnResponses } from '../openai/responses.ts';
import type { Generation, Images, Provider } from '../provider.ts';
import { speechBy } from '../speech-rules.ts';
import { transcriptionBy } from '../transcription-rules.ts';

/** The sizes of its lower resolution; the higher one has the same shapes. */
const lower = [
  [1024, 1024],
  [1280, 896],
  [1296, 864],
  [1408, 768],
  [1408, 704],
  [1280, 576],
  [1248, 576],
] as const;

const sizes = [1, 2].flatMap((scale) =>
  lower.flatMap(([long, short]) => [
    `${long * scale}x${short * scale}`,
    ...(long === short ? [] : [`${short * scale}x${long * scale}`]),
  ]),
);

const grokImages: Images = {
  protocol: xaiImages,
  rules: [
    ...imageTraitRules(sizes),
    ...unsupported('quality', 'background', 'output_format', 'moderation', 'complexity', 'safety_identifier'),
    compressionRule,
    noPartialImages,
  ],
};

const reasoningFormat = 'xai-responses-v1';

/** In the Responses API xAI names fewer candidates for a token than OpenAI. */
const maxCandidates = 8;

const fewerCandidates: Rule = {
  param: 'top_logprobs',
  reason: "The value is above the provider's maximum.",
  applies: ({ parameters }) => (parameters.top_logprobs ?? 0) > maxCandidates,
  value: () => maxCandidates,
};

/** The Responses API, with what it does not have of the operation's parameters. */
const responsesWith = (parameters: readonly Rule[]): Generation => ({
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
      ...parameters,
      ...unsupported('service_tier', 'verbosity', 'max_tool_calls', 'safety_identifier'),
      ...unsupported('prompt_cache_retention', 'prompt_cache_options', 'reasoning_context'),
      ...unsupported('context_management', 'image', 'access_programs'),
      noModeration,
    ],
    conversation: [noFilesInResults, originalDetail],
    // It reports searches in its own form, and is not known to take the protocol's.
    messages: [stripWebSearches, ...messageRules(reasoningFormat)],
    // Both are known parameters there, and requests that use them are refused.
    requests: [unsupportedSearchFields('contextSize', 'userLocation'), stripCacheMarkers],
  },
});

/** Chat takes no documents. Source: xAI's guide "Files"; GEMISIS/leviath PR 868 (bytes in a response). */
const holdsDocument = ({ messages }: GenerationRequest): boolean =>
  messages.some(({ content }) =>
    content.some((part) => part.type === 'file' && (part.mediaType ?? pdfType) === pdfType),
  );

export const xai: Provider = {
  ...hostProvider('xai', hosts.xai),
  responses: responsesWith(unsupportedOnResponses),
  chatOverResponses: {
    generation: responsesWith([...atMostChoices(1), ...unsupportedOnResponses]),
    isNeeded: holdsDocument,
  },
  images: grokImages,
  speech: speechBy(xaiSpeech),
  transcription: transcriptionBy(xaiTranscriptions, ['language', 'keywords']),
};
