/** Reads a valid chat body into an internal request, and checks rules that span several fields. */
import type {
  GenerationParameters,
  ResponseFormat,
  Tool,
  ToolChoice,
} from '../../core/generation/request.ts';
import { source } from '../../core/generation/source.ts';
import type { DebugCategory, Deprecation } from '../debug.ts';
import type { Asked } from '../generation/prepare.ts';
import { leftOutFields } from '../left-out.ts';
import { given, indexOfDuplicate, invalid, readFunction, readJsonSchema } from '../read-request.ts';
import { isShortened, readRouting, readWebPlugin } from '../routing/read.ts';
import { readMessage } from './read-messages.ts';
import { readCacheControl } from './read-parts.ts';
import type { ChatBody } from './schema.ts';
import { toolSource } from './sources.ts';

/** A chat request, read. */
export interface ChatInput extends Asked {
  readonly includeUsage: boolean;
  /** Whether `usage` has what the answer costs. */
  readonly includeCost: boolean;
  readonly debug: readonly DebugCategory[];
  readonly deprecations: readonly Deprecation[];
}

/** `given`: the body as it was sent. */
export function readChat(body: ChatBody, given: unknown = body): ChatInput {
  checkFields(body);
  const webSearch = readWebPlugin(body);
  return {
    model: body.model,
    ...readRouting(body),
    normalize: body.extra?.normalize ?? true,
    repair: body.extra?.repair ?? false,
    debug: body.extra?.debug ?? [],
    truncate: isShortened(body),
    includeUsage: (body.stream_options?.include_usage || body.usage?.include) ?? false,
    includeCost: body.usage?.include ?? false,
    deprecations: deprecationsOf(body),
    leftOut: leftOutFields(given, body),
    request: {
      messages: body.messages.map(readMessage),
      tools: (body.tools ?? []).map(readTool),
      ...(webSearch && { webSearch }),
      parameters: readParameters(body),
      stream: body.stream ?? false,
    },
  };
}

/** The fields that are parameters without conversion. */
const plain = [
  'temperature',
  'top_p',
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
  'reasoning_effort',
  'user',
  'service_tier',
  'store',
  'metadata',
] as const satisfies readonly (keyof GenerationParameters & keyof ChatBody)[];

function readParameters(body: ChatBody): GenerationParameters {
  return {
    ...given(body, plain),
    ...(body.stop != null && { stop: typeof body.stop === 'string' ? [body.stop] : body.stop }),
    ...(body.tool_choice != null && { tool_choice: readToolChoice(body.tool_choice) }),
    ...(body.response_format && { response_format: readResponseFormat(body.response_format) }),
  };
}

function readToolChoice(choice: NonNullable<ChatBody['tool_choice']>): ToolChoice {
  if (typeof choice === 'string') return choice;
  return choice.type === 'custom'
    ? { kind: 'custom', name: choice.custom.name }
    : { name: choice.function.name };
}

function readResponseFormat(format: NonNullable<ChatBody['response_format']>): ResponseFormat {
  return format.type === 'json_schema' ? readJsonSchema(format.json_schema) : format;
}

type ChatTool = NonNullable<ChatBody['tools']>[number];

function readTool(body: ChatTool, position: number): Tool {
  const marker = body.cache_control;
  return {
    ...(body.type === 'custom' ? readCustom(body.custom) : readFunction(body.function)),
    ...(marker && { cacheControl: readCacheControl(marker) }),
    [source]: toolSource(position, body.type),
  };
}

/** The chat protocol writes a grammar one level deeper than the Responses API. */
function readCustom({ name, format, ...others }: (ChatTool & { type: 'custom' })['custom']): Tool {
  const flat = format?.type === 'grammar' ? { type: format.type, ...format.grammar } : format;
  return { kind: 'custom', name, ...given(others, ['description']), ...(flat && { format: flat }) };
}

function checkFields(body: ChatBody): void {
  if (body.stream && (body.n ?? 1) > 1) throw invalid('n', "must be 1 when 'stream' is true");
  if (body.stream_options && !body.stream)
    throw invalid('stream_options', "is only allowed when 'stream' is true");
  if (body.top_logprobs != null && !body.logprobs)
    throw invalid('top_logprobs', "requires 'logprobs' to be true");
  checkTools(body);
}

function checkTools({ tools: given, tool_choice: choice }: ChatBody): void {
  const tools = given ?? [];
  const twice = indexOfDuplicate(tools.map(nameOf));
  if (twice !== undefined)
    throw invalid(
      `tools.${twice}.${tools[twice]?.type}.name`,
      'must be unique: an earlier tool has the same name',
    );
  if (choice === 'required' && tools.length === 0) throw invalid('tool_choice', "requires 'tools'");
  if (typeof choice !== 'object' || !choice) return;
  const isOffered = tools.some((tool) => tool.type === choice.type && nameOf(tool) === nameOf(choice));
  if (!isOffered) throw invalid(`tool_choice.${choice.type}.name`, "must be the name of one of the 'tools'");
}

type Named = ChatTool | Exclude<NonNullable<ChatBody['tool_choice']>, string>;

const nameOf = (tool: Named) => (tool.type === 'custom' ? tool.custom.name : tool.function.name);

function deprecationsOf(body: ChatBody): readonly Deprecation[] {
  if (body.max_tokens == null) return [];
  return [{ param: 'max_tokens', message: 'Use max_completion_tokens instead.' }];
}
