/** Reads a valid chat body into an internal request, and checks rules that span several fields. */

import type { ReadHeader } from '../../../core/endpoint.ts';
import { invalid } from '../../../core/errors/invalid.ts';
import type { GenerationParameters, ResponseFormat } from '../../../core/generation/request.ts';
import type { Asked } from '../../../pipeline/generation/prepare.ts';
import type { DebugCategory, Deprecation } from '../../answer-facts.ts';
import { leftOutFields } from '../../left-out.ts';
import { checkNativeFields, nativePaths } from '../../native-fields.ts';
import { readCache } from '../../read-cache.ts';
import { given, includesCost, readJsonSchema, readPlatform } from '../../read-request.ts';
import { isShortened, readRouting, readWebPlugin } from '../../routing/read.ts';
import { readMessage } from './read-messages.ts';
import { hidesReasoning, readReasoning } from './read-reasoning.ts';
import { readSearch, readTools } from './read-tools.ts';
import type { ChatBody } from './schema.ts';

/** A chat request, read. */
export interface ChatInput extends Asked {
  readonly includeUsage: boolean;
  /** Whether the answer is without its readable reasoning. */
  readonly hidesReasoning: boolean;
  readonly includeCost: boolean;
  readonly debug: readonly DebugCategory[];
  readonly deprecations: readonly Deprecation[];
}

/** `given`: the body as it was sent. */
export function readChat(body: ChatBody, given: unknown = body, header?: ReadHeader): ChatInput {
  checkFields(body);
  const { tools, choice } = readTools(body);
  const reasoning = readReasoning(body);
  const webSearch = readSearch(body, readWebPlugin(body));
  return {
    model: body.model,
    ...readRouting(body),
    normalize: body.extra?.normalize ?? true,
    repair: body.extra?.repair ?? false,
    dryRun: body.extra?.dry_run ?? false,
    resumable: body.extra?.resumable ?? false,
    debug: body.extra?.debug ?? [],
    ...readCache(body.extra, header),
    hidesReasoning: hidesReasoning(body),
    truncate: isShortened(body),
    includeUsage: (body.stream_options?.include_usage || body.usage?.include) ?? false,
    includeCost: includesCost(body),
    deprecations: deprecationsOf(body),
    leftOut: leftOutFields(given, body),
    request: {
      messages: body.messages.map(readMessage),
      tools,
      ...(webSearch && { webSearch }),
      parameters: {
        ...readParameters(body),
        ...(choice && { tool_choice: choice }),
        ...reasoning.parameters,
      },
      parameterPaths: { ...reasoning.paths, ...nativePaths(body) },
      ...(body.native_fields && { nativeFields: body.native_fields }),
      stream: body.stream ?? false,
    },
  };
}

/** The fields that are parameters without conversion. */
const plain = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'repetition_penalty',
  'max_tokens',
  'max_completion_tokens',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'n',
  'parallel_tool_calls',
  'user',
  'service_tier',
  'store',
  'metadata',
  'verbosity',
  'prediction',
] as const satisfies readonly (keyof GenerationParameters & keyof ChatBody)[];

function readParameters(body: ChatBody): GenerationParameters {
  return {
    ...given(body, plain),
    ...readPlatform(body),
    ...(body.stop != null && { stop: typeof body.stop === 'string' ? [body.stop] : body.stop }),
    ...(body.response_format && { response_format: readResponseFormat(body.response_format) }),
  };
}

function readResponseFormat(format: NonNullable<ChatBody['response_format']>): ResponseFormat {
  return format.type === 'json_schema' ? readJsonSchema(format.json_schema) : format;
}

function checkFields(body: ChatBody): void {
  if (body.stream && (body.n ?? 1) > 1) throw invalid('n', "must be 1 when 'stream' is true");
  if (body.stream_options && !body.stream)
    throw invalid('stream_options', "is only allowed when 'stream' is true");
  if (body.top_logprobs != null && !body.logprobs)
    throw invalid('top_logprobs', "requires 'logprobs' to be true");
  if (body.native_fields) checkNativeFields(body.native_fields);
}

function deprecationsOf(body: ChatBody): readonly Deprecation[] {
  if (body.max_tokens == null) return [];
  return [{ param: 'max_tokens', message: 'Use max_completion_tokens instead.' }];
}
