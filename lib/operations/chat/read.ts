/** Reads a valid chat body into the house's own request, and checks what spans several fields. */
import { GatewayError } from '../../core/errors.ts';
import type { Parameters, Tool, ToolChoice } from '../../core/generation.ts';
import type { Asked } from '../ask-target.ts';
import type { DebugCategory, Deprecation } from '../debug.ts';
import { readCacheControl, readMessage } from './read-messages.ts';
import type { ChatBody } from './schema.ts';

/** A chat request, read. */
export interface ChatInput extends Asked {
  readonly includeUsage: boolean;
  readonly debug: readonly DebugCategory[];
  readonly deprecations: readonly Deprecation[];
}

export function readChat(body: ChatBody): ChatInput {
  checkFields(body);
  return {
    model: body.model,
    fallbacks: body.extra?.fallbacks ?? [],
    normalize: body.extra?.normalize ?? true,
    debug: body.extra?.debug ?? [],
    includeUsage: body.stream_options?.include_usage ?? false,
    deprecations: deprecationsOf(body),
    request: {
      messages: body.messages.map(readMessage),
      tools: (body.tools ?? []).map(readTool),
      parameters: readParameters(body),
      stream: body.stream ?? false,
    },
  };
}

/** The fields that are parameters as they stand; the others need reading. */
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
] as const satisfies readonly (keyof Parameters & keyof ChatBody)[];

function readParameters(body: ChatBody): Parameters {
  const given = plain.map((name) => [name, body[name]] as const).filter(([, value]) => value != null);
  const parameters: Parameters = Object.fromEntries(given);
  return {
    ...parameters,
    ...(body.stop != null && { stop: typeof body.stop === 'string' ? [body.stop] : body.stop }),
    ...(body.tool_choice !== undefined && { tool_choice: readToolChoice(body.tool_choice) }),
    ...(body.response_format && { response_format: readResponseFormat(body.response_format) }),
  };
}

function readToolChoice(choice: NonNullable<ChatBody['tool_choice']>): ToolChoice {
  return typeof choice === 'string' ? choice : { name: choice.function.name };
}

function readResponseFormat(format: NonNullable<ChatBody['response_format']>) {
  if (format.type !== 'json_schema') return format;
  const { name, description, schema, strict } = format.json_schema;
  const json_schema = {
    name,
    ...(description != null && { description }),
    ...(schema && { schema }),
    ...(strict != null && { strict }),
  };
  return { type: format.type, json_schema };
}

function readTool({ function: tool, cache_control: marker }: NonNullable<ChatBody['tools']>[number]): Tool {
  return {
    name: tool.name,
    ...(tool.description != null && { description: tool.description }),
    ...(tool.parameters && { parameters: tool.parameters }),
    ...(tool.strict != null && { strict: tool.strict }),
    ...(marker && { cacheControl: readCacheControl(marker) }),
  };
}

function checkFields(body: ChatBody): void {
  if (body.stream && (body.n ?? 1) > 1) throw invalid('n', 'must be 1 when the answer is streamed');
  if (body.stream_options && !body.stream)
    throw invalid('stream_options', "may only be set when 'stream' is true");
  if (body.top_logprobs != null && !body.logprobs)
    throw invalid('top_logprobs', "needs 'logprobs' to be true");
  checkTools(body);
}

function checkTools({ tools = [], tool_choice: choice }: ChatBody): void {
  const names = tools.map((tool) => tool.function.name);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice >= 0) throw invalid(`tools.${twice}.function.name`, 'is already the name of another tool');
  if (choice === 'required' && tools.length === 0) throw invalid('tool_choice', "needs 'tools'");
  if (typeof choice === 'object' && !names.includes(choice.function.name)) {
    throw invalid('tool_choice.function.name', "is not the name of one of the 'tools'");
  }
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `'${param}' ${problem}.`, { param });
}

function deprecationsOf(body: ChatBody): readonly Deprecation[] {
  if (body.max_tokens == null) return [];
  return [{ param: 'max_tokens', message: 'Use max_completion_tokens instead.' }];
}
