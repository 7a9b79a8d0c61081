/** What a request to a target of Anthropic's own protocol may cost beside its tokens, or that makes them dearer. */

import { invalid } from '../../../core/errors/invalid.ts';
import { isJsonObject, type JsonObject, objectsIn } from '../../../core/formats/json-object.ts';
import type { OriginalCost } from '../../../core/generation/original/original.ts';
import { sizeOf } from '../../../normalization/conversation/summarize.ts';
import { leaveOut, type Notes, refuse } from './notes.ts';
import type { MessagesBody } from './schema.ts';
import { isCustom, isSearch, type ToolBody } from './tools/tool-schema.ts';

/** They run at the client, or only read and write tokens. What is not listed counts as charged for. */
const tokensOnly = /^(bash|text_editor|memory|computer|browser|tool_search_tool)_/;

/** Their tokens have no bound: a server's answers, or a second model's. */
const endless = /^(mcp_toolset|advisor)/;

interface Offered {
  readonly tool: ToolBody;
  readonly path: string;
}

/**
 * `given`: the body as it was sent. Undefined where there is nothing of this.
 *
 * @throws GatewayError `invalid_request` for a tool whose model is not named: which one it calls could not be checked.
 */
export function readCost(body: MessagesBody, given: JsonObject): OriginalCost | undefined {
  const added = objectsIn(given.messages).flatMap((message, index) => addedIn(message, `messages.${index}`));
  const listed = (body.tools ?? []).map((tool, index) => ({ tool, path: `tools.${index}` }));
  const offered = [...listed, ...added].filter(({ tool }) => !isCustom(tool));
  // A search that a message adds is not in the translated request.
  const tools = offered.filter((one) => added.includes(one) || !isSearch(one.tool)).map(({ tool }) => tool);
  const models = [...fallbacksOf(body), ...advisorsIn(offered)];
  const isUnbounded =
    body.fallbacks != null ||
    (body.mcp_servers ?? []).length > 0 ||
    tools.some(({ type }) => endless.test(`${type}`)) ||
    added.some(({ tool }) => isSearch(tool)) ||
    writesSummary(body);
  const kinds = tools.flatMap(({ type }) => (tokensOnly.test(`${type}`) ? [] : [kindOf(`${type}`)]));
  const tier = tierOf(body);
  if (!isUnbounded && kinds.length === 0 && tier === undefined) return undefined;
  return { tools: kinds, models, isUnbounded, ...(tier && { tier }) };
}

/** Without its version. */
const kindOf = (type: string): string => type.replace(/_\d{8}$/, '');

/** As its answers name it: `fast+us` for example. */
function tierOf({ speed, inference_geo: region }: MessagesBody): string | undefined {
  const fast = speed != null && speed !== 'standard' ? [speed] : [];
  const regional = region != null && region !== 'global' ? [region] : [];
  return [...fast, ...regional].join('+') || undefined;
}

/** The conversation is read twice: once for its summary. */
function writesSummary({ compaction, context_management: management }: MessagesBody): boolean {
  return (
    compaction != null || objectsIn(management?.edits).some(({ type }) => `${type}`.startsWith('compact'))
  );
}

/** A key that may not use a model must not reach it by another one's name. */
function fallbacksOf({ fallbacks }: MessagesBody): OriginalCost['models'] {
  if (fallbacks == null) return [];
  // The models behind a name such as `default` are Anthropic's to choose.
  if (typeof fallbacks === 'string') return [{ model: anthropicModel(fallbacks), param: 'fallbacks' }];
  return fallbacks.map(({ model }, index) => {
    return { model: anthropicModel(model), param: `fallbacks.${index}.model` };
  });
}

function advisorsIn(offered: readonly Offered[]): OriginalCost['models'] {
  return offered.flatMap(({ tool, path }) => {
    const { type, model } = tool as { readonly type?: unknown; readonly model?: unknown };
    if (model == null && !`${type}`.startsWith('advisor')) return [];
    if (typeof model !== 'string') throw invalid(`${path}.model`, 'must be the name of a model');
    return [{ model: anthropicModel(model), param: `${path}.model` }];
  });
}

/** Tools that a message defines, or a summary of messages that did. Source: BetaRequestToolAdditionBlock of the same SDK. */
function addedIn(block: JsonObject, path: string): readonly Offered[] {
  const { tool, content, tool_changes: changes } = block;
  const definition = isJsonObject(tool) ? tool.definition : undefined;
  const own = isJsonObject(definition)
    ? [{ tool: definition as unknown as ToolBody, path: `${path}.tool.definition` }]
    : [];
  return [...own, ...addedBelow(content, `${path}.content`), ...addedBelow(changes, `${path}.tool_changes`)];
}

const addedBelow = (list: unknown, path: string): readonly Offered[] =>
  Array.isArray(list)
    ? list.flatMap((one, index) => (isJsonObject(one) ? addedIn(one, `${path}.${index}`) : []))
    : [];

const anthropicModel = (name: string): string => `anthropic/${name}`;

/** Without it the answer would be another one. */
const needed = {
  mcp_servers: 'is only supported by Anthropic: other models call no MCP servers',
  compaction: 'is only supported by Anthropic',
} as const;

/** Without them the answer costs more, or fails where it need not. */
const helpful = ['context_management', 'fallbacks'] as const;

/** Anywhere, as every provider does without it. */
const anywhere = 'global';

export function noteFeatures(body: MessagesBody, notes: Notes): void {
  for (const [name, problem] of Object.entries(needed)) {
    if (isGiven(body[name as keyof typeof needed])) refuse(notes, name, problem);
  }
  noteContainer(body, notes);
  for (const name of helpful) {
    if (isGiven(body[name])) leaveOut(notes, name, sizeOf(body[name]));
  }
  const { inference_geo: region } = body;
  if (region != null && region !== anywhere) {
    refuse(notes, 'inference_geo', `is only supported by Anthropic, unless it is '${anywhere}'`);
  }
}

/** Code is run there only by tools that are refused; skills are run without any. */
function noteContainer({ container }: MessagesBody, notes: Notes): void {
  if (isJsonObject(container) && isGiven(container.skills)) {
    refuse(notes, 'container', 'is only supported by Anthropic: other models run no skills');
  } else if (isGiven(container)) leaveOut(notes, 'container', 'an id');
}

const isGiven = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);
