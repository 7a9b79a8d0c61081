/** The provider that a row of the host table describes: a host that speaks the OpenAI chat protocol. */

import type { ParameterName } from '../../core/generation/request.ts';
import type { SpeechProtocol } from '../../core/generation/speech.ts';
import { cacheMarkers, stripCacheMarkers } from '../../normalization/caching.ts';
import { originalDetail } from '../../normalization/conversation/image-detail.ts';
import { continuedWithoutReasoning } from '../../normalization/conversation/strict-turns.ts';
import { onlyTextInResults } from '../../normalization/conversation/tool-results.ts';
import { refusalsAsText } from '../../normalization/refusals.ts';
import { always, type MessageRule, type RequestRule, type Rule } from '../../normalization/rule.ts';
import {
  atMostChoices,
  noModeration,
  onlyReasoningOf,
  openaiOnly,
  openSampling,
  stripNames,
  temperatureRules,
  traitRules,
  unsupported,
} from '../../normalization/rules.ts';
import { formatInWords } from '../../normalization/schemas/format-in-words.ts';
import { strictToolsWhere } from '../../normalization/schemas/structured-output.ts';
import { stripWebSearches } from '../../normalization/web-search.ts';
import { createMinimaxSpeech } from '../../protocols/minimax-speech.ts';
import { mistralSpeech } from '../../protocols/mistral-speech.ts';
import { mistralTranscriptions } from '../../protocols/mistral-transcriptions.ts';
import { type Dialect, hostDialect, type Replay } from '../../protocols/openai-chat/dialect.ts';
import { createFillIn, createOpenaiChat } from '../../protocols/openai-chat/protocol.ts';
import { hostDialect as hostEmbeddings } from '../../protocols/openai-embeddings.ts';
import { openaiModerations } from '../../protocols/openai-moderations.ts';
import { openaiSpeech } from '../../protocols/openai-speech.ts';
import { openaiTranscriptions } from '../../protocols/openai-transcriptions.ts';
import { createRerank, hostRerank } from '../../protocols/rerank.ts';
import { togetherTranscriptions } from '../../protocols/together-transcriptions.ts';
import { compatibleEmbeddings } from '../compatible-embeddings.ts';
import { withoutUser } from '../embedding-rules.ts';
import {
  type Authorize,
  bearer,
  type Called,
  callOnce,
  type Generation,
  hasKey,
  keyHeader,
  type Provider,
  type ReadyCall,
  type Transcription,
} from '../provider.ts';
import { rerankBy } from '../rerank-rules.ts';
import { speechBy } from '../speech-rules.ts';
import { noLanguageBesideTimes, transcriptionBy, whisperParameters } from '../transcription-rules.ts';
import type { HostSettings } from './host.ts';

/** Parameters of OpenAI's own platform, and of single hosts, which are no part of the protocol elsewhere. */
const uncommon: readonly ParameterName[] = ['store', 'metadata', ...openaiOnly, ...openSampling];

/** Hosts that take caching markers take them on texts and images. */
const ownMarkers = cacheMarkers({
  sections: () => ['system', 'messages'],
  onCalls: false,
  max: 4,
  automatic: false,
});

/** For a host whose functions have no `strict`. */
const looseTools = always(strictToolsWhere(() => false));

const byKey = keyHeader('authorization', bearer);
const byKeyIfAny: Authorize = (request, access, region) =>
  access.apiKey ? byKey(request, access, region) : request;

function speechOf({ speaks, dialect = {} }: HostSettings): SpeechProtocol {
  if (speaks === 'minimax') return createMinimaxSpeech(dialect);
  return speaks === 'mistral' ? mistralSpeech : openaiSpeech;
}

const transcriptionOf = (transcribes: NonNullable<HostSettings['transcribes']>): Transcription =>
  transcribes === 'mistral'
    ? transcriptionBy(mistralTranscriptions, ['temperature', 'language', 'keywords'], noLanguageBesideTimes)
    : transcriptionBy(
        transcribes === 'together' ? togetherTranscriptions : openaiTranscriptions,
        whisperParameters,
      );

export interface HostProvider extends Provider {
  readonly generation: Generation;
}

export function hostProvider(name: string, host: HostSettings): HostProvider {
  const { baseUrl, needsKey = true, embeddings, moderates, rerank, speaks, transcribes } = host;
  return {
    name,
    ...(baseUrl === undefined ? { settings: ['api-key', 'base-url'] } : { baseUrl: () => baseUrl }),
    isConfigured: (access) => (hasKey(access) || !needsKey) && (access.baseUrl ?? baseUrl) !== undefined,
    authorize: needsKey ? byKey : byKeyIfAny,
    generation: hostGeneration(host),
    ...(host.fillInPath !== undefined && { fillIn: fillInGeneration(host, host.fillInPath) }),
    ...(moderates && { moderations: { protocol: openaiModerations } }),
    ...(speaks && { speech: speechBy(speechOf(host)) }),
    ...(transcribes && { transcription: transcriptionOf(transcribes) }),
    ...(embeddings && {
      embeddings: compatibleEmbeddings(
        { ...hostEmbeddings, ...embeddings },
        embeddings.takesUser === false ? [withoutUser] : [],
      ),
    }),
    ...(rerank && {
      rerank: rerankBy(createRerank({ ...hostRerank, ...rerank }), ...(rerank.takes ?? [])),
    }),
  };
}

function hostGeneration(host: HostSettings): Generation {
  const { choices, takes = [], takesImageUrls = true, takesNames = true } = host;
  const dialect: Dialect = { ...hostDialect, ...host.dialect };
  return {
    protocol: createOpenaiChat(dialect),
    takesImageUrls,
    ...(host.continuedPath !== undefined && { call: continuedAt(host.continuedPath) }),
    rules: {
      parameters: [
        ...valueRules(host),
        ...traitRules,
        ...temperatureRules,
        ...unsupported(...uncommon.filter((name) => !takes.includes(name)), ...(host.unsupported ?? [])),
        noModeration,
        ...(choices === undefined ? [] : atMostChoices(choices)),
      ],
      conversation: [
        ...(host.takesImagesInResults ? [] : [onlyTextInResults]),
        ...(host.continuesWhileReasoning === false ? [continuedWithoutReasoning] : []),
        originalDetail,
      ],
      messages: [
        ...nameRules(takesNames, dialect),
        refusalsAsText,
        ownReasoning(dialect.replay),
        stripWebSearches,
      ],
      requests: [
        formatOf(dialect),
        ...(dialect.withoutStrictTools ? [looseTools] : []),
        dialect.takesCacheControl ? ownMarkers : stripCacheMarkers,
      ],
    },
  };
}

/** A request has one text before and one after, and few parameters. Source: Mistral's API reference, FIM. */
function fillInGeneration(host: HostSettings, path: string): Generation {
  const { rules, ...generation } = hostGeneration(host);
  const parameters = [
    ...rules.parameters,
    ...unsupported('frequency_penalty', 'presence_penalty'),
    ...atMostChoices(1),
  ];
  const protocol = createFillIn({ ...hostDialect, ...host.dialect }, path);
  return { ...generation, protocol, rules: { ...rules, parameters } };
}

/** The default call, at another path for a request that continues an assistant message. */
function continuedAt(path: string): (call: ReadyCall) => Promise<Called> {
  return (call) => {
    const isContinued = call.request.messages.at(-1)?.role === 'assistant';
    return callOnce(
      isContinued
        ? { ...call, post: (own, body, options) => call.post(`${path}${own}`, body, options) }
        : call,
    );
  };
}

/** Hosts take JSON mode without saying which models have it, so only the schema depends on the model. */
function formatOf({ formatWithoutTools = false }: Dialect): RequestRule {
  return formatInWords(({ tools, parameters }, { model }) => {
    if (formatWithoutTools && tools.length > 0) return undefined;
    const { structuredOutput } = model.traits;
    return parameters.response_format?.type === 'json_object' ? 'object' : structuredOutput;
  });
}

/** Messages that become one turn have no names. */
function nameRules(takesNames: boolean, { mergesTurns }: Dialect): readonly MessageRule[] {
  if (mergesTurns) return [{ ...stripNames, always: true }];
  return takesNames ? [] : [stripNames];
}

/** The rules on single values of parameters that the host otherwise supports. */
function valueRules(host: HostSettings): readonly Rule[] {
  const { maxTemperature = Number.POSITIVE_INFINITY, unsupportedTiers = [], replacedEfforts = {} } = host;
  return [
    {
      param: 'service_tier',
      reason: 'The provider does not support this service tier.',
      applies: ({ parameters: { service_tier: tier } }) =>
        tier !== undefined && unsupportedTiers.includes(tier),
    },
    {
      param: 'reasoning_effort',
      reason: 'The provider does not support this effort and would use another one.',
      applies: ({ parameters: { reasoning_effort: effort }, target }) =>
        effort !== undefined && effort in replacedEfforts && target.model.traits.reasoning !== undefined,
      value: ({ parameters }) => replacedEfforts[parameters.reasoning_effort ?? 'none'],
    },
    {
      param: 'temperature',
      reason: "The value is above the provider's maximum.",
      applies: ({ parameters }) => (parameters.temperature ?? 0) > maxTemperature,
      value: () => maxTemperature,
    },
  ];
}

/**
 * Only a host's own reasoning goes back to it. Text without details does not say which host wrote it, and a host that
 * takes its reasoning as plain text can have it.
 */
function ownReasoning(replay: Replay | undefined): MessageRule {
  const rule = onlyReasoningOf(...(replay?.formats ?? []));
  if (replay === undefined) return rule;
  return {
    ...rule,
    apply: (message, target) => {
      const isPlain = message.role === 'assistant' && message.reasoningDetails.length === 0;
      return isPlain ? undefined : rule.apply(message, target);
    },
  };
}
