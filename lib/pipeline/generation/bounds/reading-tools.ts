/**
 * The provider's own tools that read: what they bring into the conversation is input that the caller did not send, and every further round
 * of the same answer reads the conversation again. Recorded: an answer of Claude with one search (2,037 tokens before it) counts 15,665 tokens
 * of input, one with two 27,118: the sums of their rounds.
 */

import { isJsonObject } from '../../../core/formats/json-object.ts';
import { blocksOf } from '../../../core/generation/original/original-blocks.ts';
import { pathOf } from '../../../core/generation/original/source.ts';
import type { GenerationRequest, JsonObject } from '../../../core/generation/request.ts';
import { costsMore, toolsIn } from '../../../core/generation/tools/hosted-calls.ts';
import { withParameter } from '../../../normalization/parameter-rules.ts';
import type { Change, Normalized } from '../../../normalization/rule.ts';

/** The assumed maximum of calls, if the request sets none: rarely reached, and set for a request under a budget. */
export const maxCalls = 16;

/** How often Claude's API goes on by itself; then it ends with `pause_turn`. Source: "Server tools" of its documentation. */
const maxRoundsOfClaude = 10;

interface ReadingTool {
  /** The path of the tool in the caller's body. */
  readonly param: string;
  readonly type: string;
  /** How often it may be called. */
  readonly calls: number;
  /** How many tokens one call may bring in; Infinity: as many as the context has room for. */
  readonly tokens: number;
}

/** Tools that run at the client, search among tools, or have no bound at all, which is counted elsewhere. */
const readNothing =
  /^(?:bash|text_editor|memory|computer|browser|tool_search_tool|advisor|mcp_toolset|image_generation)(?:_|$)/;

const versioned = /_\d{8}$/;

/** Those of the request as it is translated. One limit is that of all together. */
function toolsOfTranslated(request: GenerationRequest): readonly ReadingTool[] {
  const { parameters, webSearch } = request;
  const searches = webSearch ? [{ param: pathOf(webSearch), type: 'web_search' }] : [];
  const others = toolsIn(request).filter(({ type }) => costsMore(type) && !readNothing.test(`${type}`));
  const [first] = [...searches, ...others.map(({ type }) => ({ param: 'tools', type: `${type}` }))];
  const calls = parameters.max_tool_calls ?? maxCalls;
  return first ? [{ ...first, calls, tokens: Number.POSITIVE_INFINITY }] : [];
}

const toolsOf = ({ original }: GenerationRequest): readonly ReadingTool[] =>
  original ? toolsOfOriginal(original.body).map(({ tool, path }) => limitsOf(tool, path)) : [];

/** Which of the two is sent depends on the target. */
export const readingTools = (request: GenerationRequest): readonly ReadingTool[] => [
  ...toolsOf(request),
  ...toolsOfTranslated(request),
];

/** Wherever they are defined. A block of content has a type without a date. */
function toolsOfOriginal(body: JsonObject) {
  return blocksOf(body).flatMap(({ block: tool, path }) =>
    versioned.test(`${tool.type}`) && !readNothing.test(`${tool.type}`) ? [{ tool, path }] : [],
  );
}

function limitsOf(
  { type, max_uses: uses, max_content_tokens: tokens }: JsonObject,
  param: string,
): ReadingTool {
  return {
    param,
    type: `${type}`,
    calls: typeof uses === 'number' ? uses : maxCalls,
    tokens: typeof tokens === 'number' ? tokens : Number.POSITIVE_INFINITY,
  };
}

export interface ReadingBounds {
  /** Tokens of the request itself. */
  readonly own: number;
  /** Tokens that the model may write. */
  readonly written: number;
  /** The longest input that it takes. */
  readonly context: number;
  /** The provider counts what its tools read once, however many calls there are. */
  readonly once: boolean;
}

/** How many tokens of input there may be beside the request itself. */
export function maxRead(request: GenerationRequest, bounds: ReadingBounds): number {
  // A conversation that the provider shortens is read once for its summary.
  const shortened = request.parameters.context_management
    ? Math.min(bounds.context, bounds.own + bounds.written)
    : 0;
  const ofOriginal = readBy(toolsOf(request), maxRoundsOfClaude, bounds);
  return (
    shortened + Math.max(ofOriginal, readBy(toolsOfTranslated(request), Number.POSITIVE_INFINITY, bounds))
  );
}

function readBy(
  tools: readonly ReadingTool[],
  maxRounds: number,
  { own, written, context, once }: ReadingBounds,
): number {
  if (tools.length === 0) return 0;
  const calls = tools.reduce((sum, tool) => sum + tool.calls, 0);
  const found = tools.reduce((sum, tool) => sum + tool.calls * tool.tokens, 0);
  return (once ? 1 : Math.min(calls, maxRounds)) * Math.min(context, own + written + found);
}

/** The request with at most so many calls of each tool that takes a limit, on record; Infinity: as it is. */
export function withCalls(request: GenerationRequest, calls: number): Normalized {
  const { original, parameters } = request;
  if (!Number.isFinite(calls) || readingTools(request).length === 0) return { request, changes: [] };
  const { max_tool_calls: before } = parameters;
  const isLowered = toolsOfTranslated(request).length > 0 && (before === undefined || before > calls);
  const limits = isLowered ? withParameter(parameters, name, calls) : parameters;
  if (!original) {
    const changes = isLowered ? [changeOf(name, before, calls)] : [];
    return { request: { ...request, parameters: limits }, changes };
  }
  const { body, changes } = limitTools(original.body, calls);
  return { request: { ...request, parameters: limits, original: { ...original, body } }, changes };
}

const name = 'max_tool_calls';

/** Tools of Claude's API that have a limit of their own. */
const limited = /^web_(?:search|fetch)_/;

function limitTools(body: JsonObject, calls: number) {
  const changes: Change[] = [];
  const tools = (Array.isArray(body.tools) ? body.tools : []).map((tool, index) => {
    if (!isJsonObject(tool) || !limited.test(`${tool.type}`)) return tool;
    const { max_uses: uses } = tool;
    if (typeof uses === 'number' && uses <= calls) return tool;
    changes.push(changeOf(`tools.${index}.max_uses`, typeof uses === 'number' ? uses : undefined, calls));
    return { ...tool, max_uses: calls };
  });
  return { body: changes.length > 0 ? { ...body, tools } : body, changes };
}

const changeOf = (param: string, before: number | undefined, after: number): Change => ({
  param,
  action: before === undefined ? 'add' : 'override',
  before: before ?? null,
  after,
  reason: 'What tools of the provider read is charged: under a budget, the number of their calls is limited.',
});
