/**
 * Encodes a generation request as a request of the OpenAI Responses API. The host stores nothing: the whole conversation is
 * sent with each request, including reasoning in the encrypted content that the host returned.
 *
 * Nothing is dropped silently: a parameter without a field in the protocol is sent under its public name, so that the
 * provider rejects it. Only cache markers, and reasoning of other hosts, cannot be expressed; rules report them.
 */

import type { Target } from '../../core/catalog/model.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type { GenerationRequest, JsonObject, ResponseFormat } from '../../core/generation/request.ts';
import type { ResponsesDialect } from './dialect.ts';
import { encodeInput } from './input.ts';
import { encodeToolChoice, encodeTools } from './tools.ts';
import type * as wire from './wire.ts';

export function encode(request: GenerationRequest, target: Target, dialect: ResponsesDialect): wire.Body {
  const {
    max_tokens,
    max_completion_tokens,
    reasoning_effort: effort,
    reasoning_summary: summary,
    reasoning_context: context,
    reasoning_max_tokens,
    response_format,
    verbosity,
    tool_choice,
    logprobs,
    ...rest
  } = request.parameters;
  const format = response_format && encodeFormat(response_format);
  return withoutUndefined<wire.Body>({
    model: target.deployment.upstreamId,
    input: encodeInput(request.messages, target, dialect),
    tools: unlessEmpty(encodeTools(request, dialect)),
    tool_choice: encodeToolChoice(tool_choice, request, dialect),
    max_output_tokens: max_completion_tokens ?? max_tokens,
    reasoning: unlessEmpty(
      withoutUndefined<wire.Reasoning>({ effort, summary, context, max_tokens: reasoning_max_tokens }),
    ),
    text: unlessEmpty(withoutUndefined<wire.Text>({ format, verbosity })),
    include: unlessEmpty(encodeInclude(request, target, dialect)),
    logprobs: dialect.includesReasoningOnly ? logprobs : undefined,
    store: false,
    ...rest,
    stream: request.stream || undefined,
  });
}

/** Fields of an answer that must be requested. */
function encodeInclude(
  { parameters, webSearch, include = [] }: GenerationRequest,
  { model }: Target,
  { includesReasoningOnly }: ResponsesDialect,
): readonly string[] {
  // Models that do not reason reject this one with a 400.
  const reasoning = model.traits.reasoning ? ['reasoning.encrypted_content'] : [];
  if (includesReasoningOnly) return reasoning;
  return [
    ...reasoning,
    ...(parameters.logprobs ? ['message.output_text.logprobs'] : []),
    ...(webSearch ? ['web_search_call.action.sources'] : []),
    ...include.filter((name) => /^(?:code_interpreter|computer|file_search)_call/.test(name)),
  ];
}

function encodeFormat(format: ResponseFormat): JsonObject {
  return format.type === 'json_schema' ? { type: format.type, ...format.json_schema } : { ...format };
}

const unlessEmpty = <Value extends object>(value: Value): Value | undefined =>
  Object.keys(value).length > 0 ? value : undefined;
