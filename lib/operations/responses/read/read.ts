/** Reads a valid body of the Responses operation, and checks what spans several fields. */

import type { CacheWish } from '../../../core/caching.ts';
import type { ReadHeader } from '../../../core/endpoint.ts';
import { invalid } from '../../../core/errors/invalid.ts';
import { isJsonObject } from '../../../core/formats/json-object.ts';
import { type FieldPaths, source, wholeSource } from '../../../core/generation/original/source.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  JsonObject,
  ResponseFormat,
} from '../../../core/generation/request.ts';
import type { Change } from '../../../normalization/rule.ts';
import type { Routing } from '../../../routing/routing.ts';
import type { DebugCategory, Deprecation } from '../../answer-facts.ts';
import { leftOutFields } from '../../left-out.ts';
import { checkNativeFields, nativePaths } from '../../native-fields.ts';
import { readCache } from '../../read-cache.ts';
import { given, includesCost, readJsonSchema, readPlatform } from '../../read-request.ts';
import { isShortened, readRouting, readWebPlugin } from '../../routing/read.ts';
import type { Includable } from '../stored/stored-format.ts';
import { echo, type ResponseEcho } from '../write/echo.ts';
import { fullItem, userText } from './full-item.ts';
import type { InputItem } from './item.ts';
import { leftOutPrograms, readTools } from './read-tools.ts';
import type { ResponsesBody, TextFormatBody } from './schema.ts';
import { withSources } from './sources.ts';

/** A request, read. What it refers to is found later (`history.ts`). */
export interface ResponsesInput extends Routing {
  readonly model: string;
  readonly includeCost: boolean;
  readonly debug: readonly DebugCategory[];
  readonly cache?: CacheWish;
  readonly deprecations: readonly Deprecation[];
  /** True: where the conversation is too long for the model, its middle is left out. */
  readonly truncate: boolean;
  /** True: a model whose JSON answer does not fit the schema is asked once more. */
  readonly repair: boolean;
  readonly dryRun: boolean;
  readonly resumable: boolean;
  readonly store: boolean;
  /** True: the caller has said so, too. */
  readonly storeAsked: boolean;
  /** Of a response that is created in the background: what its worker needs. */
  readonly background?: BackgroundInput;
  readonly previousResponseId?: string;
  /** Fields of items that are answered only on request. */
  readonly include: readonly Includable[];
  readonly instructions?: string;
  readonly items: readonly InputItem[];
  /** The request without its conversation, whose messages `readConversation` makes. */
  readonly request: Omit<GenerationRequest, 'messages'>;
  readonly echo: ResponseEcho;
  /** What was left out of the body. */
  readonly leftOut: readonly Change[];
}

export interface BackgroundInput {
  /** The body, as it was sent. */
  readonly request: JsonObject;
  /** What the log and the ledger have of the caller's headers. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `given`: the body as it was sent. */
export function readResponses(
  body: ResponsesBody,
  given: unknown = body,
  header: ReadHeader = () => undefined,
): ResponsesInput {
  checkFields(body);
  const { previous_response_id: previousResponseId, instructions, input } = body;
  return {
    model: body.model,
    ...readRouting(body),
    includeCost: includesCost(body),
    debug: body.extra?.debug ?? [],
    ...readCache(body.extra, header),
    deprecations: deprecationsOf(body),
    truncate: body.truncation === 'auto' || isShortened(body),
    repair: body.extra?.repair ?? false,
    dryRun: body.extra?.dry_run ?? false,
    resumable: body.extra?.resumable ?? false,
    store: body.store ?? true,
    storeAsked: body.store === true,
    ...(body.background && { background: readBackground(given, header) }),
    ...(previousResponseId != null && { previousResponseId }),
    include: body.include ?? [],
    ...(instructions != null && { instructions }),
    items: readInput(input),
    request: readRequest(body),
    echo: echo(body),
    leftOut: [...leftOutFields(given, body), ...leftOutPrograms(body.tools ?? [])],
  };
}

/** The headers of a request that tell whose it is. */
const callerHeaders = [
  'x-gateway-user-id',
  'x-gateway-session-id',
  'x-claude-code-session-id',
  'x-gateway-tags',
  'traceparent',
  'tracestate',
] as const;

function readBackground(given: unknown, header: ReadHeader): BackgroundInput {
  const headers = callerHeaders.flatMap((name) => {
    const value = header(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { request: isJsonObject(given) ? given : {}, headers: Object.fromEntries(headers) };
}

function readInput(input: ResponsesBody['input']): readonly InputItem[] {
  if (typeof input === 'string') return [{ ...userText(input), [source]: wholeSource('input') }];
  return input.map((body, position) => withSources(fullItem(body), body, position));
}

function readRequest(body: ResponsesBody): ResponsesInput['request'] {
  const { choice, webSearch = readWebPlugin(body), ...offered } = readTools(body);
  return {
    ...offered,
    ...(webSearch && { webSearch }),
    ...(body.include && { include: body.include }),
    parameters: { ...readParameters(body), ...(choice && { tool_choice: choice }) },
    parameterPaths: parameterPaths(body),
    ...(body.native_fields && { nativeFields: body.native_fields }),
    stream: body.stream ?? false,
  };
}

/** The fields that are parameters without any conversion. */
const plain = [
  'temperature',
  'top_p',
  'stop',
  'top_logprobs',
  'parallel_tool_calls',
  'max_tool_calls',
  'user',
  'service_tier',
  'context_management',
  'image',
  'access_programs',
] as const satisfies readonly (keyof GenerationParameters & keyof ResponsesBody)[];

function readParameters(body: ResponsesBody): GenerationParameters {
  const { max_output_tokens: limit, reasoning, text } = body;
  const summary = reasoning?.summary ?? reasoning?.generate_summary;
  const logprobs = body.top_logprobs != null || body.include?.includes('message.output_text.logprobs');
  return {
    ...given(body, plain),
    ...readPlatform(body),
    ...(limit != null && { max_completion_tokens: limit }),
    ...(logprobs && { logprobs }),
    ...(reasoning?.effort && { reasoning_effort: reasoning.effort }),
    ...(summary && { reasoning_summary: summary }),
    ...(reasoning?.context && { reasoning_context: reasoning.context }),
    ...given(text ?? {}, ['verbosity']),
    ...(text?.format && { response_format: readFormat(text.format) }),
  };
}

function readFormat(format: TextFormatBody): ResponseFormat {
  if (format.type !== 'json_schema') return format;
  return readJsonSchema('json_schema' in format ? format.json_schema : format);
}

function checkFields(body: ResponsesBody): void {
  if (body.stream_options && !body.stream) {
    throw invalid('stream_options', "is only allowed when 'stream' is true");
  }
  if (body.background && body.store === false) {
    throw invalid(
      'store',
      "must not be false when 'background' is true: the response is read from where it is stored",
    );
  }
  if (body.background && body.extra?.dry_run) {
    throw invalid(
      'extra.dry_run',
      "is not allowed with 'background': there is nothing to follow. Send it without",
    );
  }
  checkNativeFields(body.native_fields ?? {});
}

function deprecationsOf({ reasoning }: ResponsesBody): readonly Deprecation[] {
  if (reasoning?.generate_summary == null) return [];
  return [{ param: 'reasoning.generate_summary', message: 'Use reasoning.summary instead.' }];
}

const paths: FieldPaths = {
  messages: 'input',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  reasoning_effort: 'reasoning.effort',
  reasoning_summary: 'reasoning.summary',
  reasoning_context: 'reasoning.context',
  response_format: 'text.format',
  verbosity: 'text.verbosity',
};

function parameterPaths(body: ResponsesBody): FieldPaths {
  const { reasoning, text, tool_choice: choice, top_logprobs } = body;
  const included = body.include?.indexOf('message.output_text.logprobs') ?? 0;
  const isOldSummary = reasoning?.summary == null && reasoning?.generate_summary != null;
  const isNestedFormat = text?.format != null && 'json_schema' in text.format;
  const isNestedChoice = typeof choice === 'object' && choice !== null && 'function' in choice;
  return {
    ...paths,
    ...(isOldSummary && { reasoning_summary: 'reasoning.generate_summary' }),
    logprobs: top_logprobs == null ? `include.${included}` : 'top_logprobs',
    'response_format.json_schema': isNestedFormat ? 'text.format.json_schema' : 'text.format',
    'tool_choice.function': isNestedChoice ? 'tool_choice.function' : 'tool_choice',
    ...nativePaths(body),
  };
}
