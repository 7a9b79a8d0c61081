/**
 * Encodes a generation request as a chat completion request in a host's dialect. It does not know what a model rejects: the
 * rules have been applied before.
 */

import type { Target } from '../../core/catalog/model.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  JsonObject,
  Tool,
  ToolChoice,
} from '../../core/generation/request.ts';
import { type Dialect, writeEffort } from './dialect.ts';
import { encodeMessages } from './messages.ts';

export function encode(request: GenerationRequest, target: Target, dialect: Dialect): JsonObject {
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
  return {
    model: target.deployment.upstreamId,
    messages: encodeMessages(request.messages, target, dialect),
    ...(tools.length > 0 && { tools: tools.map((tool) => encodeTool(tool, dialect)) }),
    ...encodeParameters(parameters, dialect),
    ...dialect.always,
    ...(reasoning && dialect.forReasoners),
    ...(effort !== undefined &&
      (effortFields ? writeEffort(effort, effortFields) : { reasoning_effort: effort })),
    ...(tokens !== undefined && { reasoning: { max_tokens: tokens } }),
    ...(choice !== undefined &&
      tools === request.tools && { tool_choice: encodeToolChoice(choice, dialect) }),
    ...(request.stream && { stream: true }),
    // Usage is always requested, because the gateway bills by it, whether or not the caller wants it.
    ...(request.stream && !dialect.alwaysReportsUsage && { stream_options: { include_usage: true } }),
  };
}

/** A renamed parameter comes last, so that the newer name of a limit overrides the older one. */
function encodeParameters(parameters: GenerationParameters, { names = {} }: Dialect): JsonObject {
  const entries = Object.entries(parameters);
  const nameOf = (name: string): string | undefined => names[name as keyof GenerationParameters];
  return Object.fromEntries([
    ...entries.filter(([name]) => nameOf(name) === undefined),
    ...entries.flatMap(([name, value]) => {
      const renamed = nameOf(name);
      return renamed === undefined ? [] : [[renamed, value]];
    }),
  ]);
}

function encodeTool(tool: Tool, { withoutStrictTools, takesCacheControl }: Dialect): JsonObject {
  const { kind, name, description, parameters, strict, format, cacheControl } = tool;
  if (kind === 'custom') {
    const said = description === undefined ? {} : { description };
    return { type: kind, custom: { name, ...said, ...(format && { format: encodeTextFormat(format) }) } };
  }
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      ...(parameters && { parameters }),
      ...(strict !== undefined && !withoutStrictTools && { strict }),
    },
    ...(cacheControl && takesCacheControl && { cache_control: cacheControl }),
  };
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
