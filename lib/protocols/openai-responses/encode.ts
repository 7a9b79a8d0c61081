/**
 * Writes a generation request as a request of the OpenAI Responses wire. The host keeps nothing: the whole conversation
 * goes with each request, reasoning in the encrypted form that the host gave it.
 *
 * Total: what the wire has no field for is sent under its public name, so that the provider refuses it. Only caching
 * markers, and reasoning that the host did not make, have no place at all; rules report them.
 */
import type {
  GenerationParameters,
  GenerationRequest,
  JsonObject,
  ResponseFormat,
} from '../../core/generation/request.ts';
import type { Target } from '../../core/model.ts';
import type { ResponsesDialect } from './dialect.ts';
import { encodeInput } from './input.ts';
import { encodeToolChoice, encodeTools } from './tools.ts';

export function encode(request: GenerationRequest, target: Target, dialect: ResponsesDialect): JsonObject {
  const {
    max_tokens,
    max_completion_tokens,
    reasoning_effort: effort,
    reasoning_summary: summary,
    response_format,
    verbosity,
    tool_choice,
    logprobs,
    ...rest
  } = request.parameters;
  const format = response_format && encodeFormat(response_format);
  return {
    model: target.deployment.upstreamId,
    input: encodeInput(request.messages, target, dialect),
    ...filled('tools', encodeTools(request, dialect)),
    ...present({
      tool_choice: tool_choice && encodeToolChoice(tool_choice, request.webSearch, dialect),
      max_output_tokens: max_completion_tokens ?? max_tokens,
    }),
    ...filled('reasoning', present({ effort, summary })),
    ...filled('text', present({ format, verbosity })),
    ...filled('include', encodeInclude(request, target, dialect)),
    ...(dialect.includesReasoningOnly && present({ logprobs })),
    store: false,
    ...rest,
    ...(request.stream && { stream: true }),
  };
}

/** What an answer tells only when it is asked to. */
function encodeInclude(
  { parameters, webSearch }: GenerationRequest,
  { model }: Target,
  { includesReasoningOnly }: ResponsesDialect,
): readonly string[] {
  // Models that do not reason answer 400 to this one.
  const reasoning = model.traits.reasoning ? ['reasoning.encrypted_content'] : [];
  if (includesReasoningOnly) return reasoning;
  return [
    ...reasoning,
    ...(parameters.logprobs ? ['message.output_text.logprobs'] : []),
    ...(webSearch ? ['web_search_call.action.sources'] : []),
  ];
}

function encodeFormat(format: ResponseFormat): JsonObject {
  return format.type === 'json_schema' ? { type: format.type, ...format.json_schema } : { ...format };
}

/** The fields that have a value. */
function present(
  fields: Readonly<Record<string, GenerationParameters[keyof GenerationParameters] | JsonObject>>,
): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A field with something in it, or none. */
function filled(name: string, value: JsonObject | readonly unknown[]): JsonObject {
  return Object.keys(value).length > 0 ? { [name]: value } : {};
}
