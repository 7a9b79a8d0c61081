/**
 * Encodes a generation request as a chat completion request in a host's dialect. It does not know what a model rejects: the
 * rules have been applied before.
 */

import type { Target } from '../../core/catalog/model.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  JsonObject,
  Tool,
  ToolChoice,
} from '../../core/generation/request.ts';
import { type Dialect, writeEffort } from './dialect.ts';
import { encodeMessages } from './messages.ts';
import type * as wire from './wire.ts';

export function encode(request: GenerationRequest, target: Target, dialect: Dialect): wire.Body {
  const {
    tool_choice: choice,
    reasoning_effort: effort,
    reasoning_max_tokens: tokens,
    ...parameters
  } = request.parameters;
  const reasoning = target.model.traits.reasoning;
  const tools = dialect.noneLeavesOutTools && choice === 'none' ? [] : request.tools;
  // An effort that the model does not have is sent as it is, for the host to reject.
  const isKnown = effort !== undefined && reasoning?.efforts.includes(effort);
  const effortFields = reasoning && isKnown ? dialect.efforts?.[reasoning.style] : undefined;
  // Usage is always requested, because the gateway bills by it, whether or not the caller wants it.
  const asksForUsage = request.stream && !dialect.alwaysReportsUsage;
  return withoutUndefined<wire.Body>({
    model: target.deployment.upstreamId,
    messages: encodeMessages(request.messages, target, dialect),
    tools: tools.length > 0 ? tools.map((tool) => encodeTool(tool, dialect)) : undefined,
    ...encodeParameters(parameters, dialect),
    ...dialect.always,
    ...(reasoning && dialect.forReasoners),
    ...(effort !== undefined &&
      (effortFields ? writeEffort(effort, effortFields) : { reasoning_effort: effort })),
    ...(tokens !== undefined && ({ reasoning: { max_tokens: tokens } } satisfies wire.Body)),
    tool_choice: choice && tools === request.tools ? encodeToolChoice(choice, dialect) : undefined,
    stream: request.stream || undefined,
    stream_options: asksForUsage ? { include_usage: true } : undefined,
  });
}

/** A renamed parameter comes last, so that the newer name of a limit overrides the older one. */
function encodeParameters(parameters: GenerationParameters, { names = {} }: Dialect): JsonObject {
  const kept: Record<string, unknown> = {};
  const renamed: Record<string, unknown> = {};
  for (const name of Object.keys(parameters) as (keyof GenerationParameters)[]) {
    const other = names[name];
    if (other === undefined) kept[name] = parameters[name];
    else renamed[other] = parameters[name];
  }
  return { ...kept, ...renamed };
}

function encodeTool(tool: Tool, { withoutStrictTools, takesCacheControl }: Dialect): wire.Tool {
  const { kind, name, description, parameters, strict, format, cacheControl } = tool;
  if (kind === 'custom') {
    const custom = { name, description, format: format && encodeTextFormat(format) };
    return { type: kind, custom: withoutUndefined<wire.CustomTool>(custom) };
  }
  return withoutUndefined<wire.Tool>({
    type: 'function',
    function: withoutUndefined<wire.FunctionTool>({
      name,
      description,
      parameters,
      strict: withoutStrictTools ? undefined : strict,
    }),
    cache_control: takesCacheControl ? cacheControl : undefined,
  });
}

/** The grammar is one level deeper than in the Responses API. */
function encodeTextFormat({ type, ...rules }: JsonObject): JsonObject {
  return type === 'grammar' ? { type, grammar: rules } : { type };
}

function encodeToolChoice(choice: ToolChoice, { requiredToolChoice = 'required' }: Dialect): unknown {
  if (choice === 'required') return requiredToolChoice;
  if (typeof choice === 'string') return choice;
  const { kind = 'function', name } = choice;
  return { type: kind, [kind]: { name } };
}
