/** Tools of the OpenAI Responses protocol: functions in their flat form, and the host's own web search. */
import type {
  GenerationRequest,
  JsonObject,
  Tool,
  ToolChoice,
  WebSearchTool,
} from '../../core/generation/request.ts';
import type { ResponsesDialect } from './dialect.ts';

/** In the caller's order, so that an index in an error is the caller's index. */
export function encodeTools(
  { tools, webSearch }: GenerationRequest,
  dialect: ResponsesDialect,
): readonly JsonObject[] {
  const functions = tools.map((tool) => encodeTool(tool, dialect));
  return webSearch ? functions.toSpliced(webSearch.position, 0, encodeSearch(webSearch, dialect)) : functions;
}

/**
 * The protocol treats a function without `strict` as strict and rewrites its schema. That is what a caller of this protocol
 * asks for; in all others a function is strict only if the caller said so.
 */
function encodeTool(
  { name, description, parameters, strict }: Tool,
  { strictByDefault = false }: ResponsesDialect,
): JsonObject {
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(!(strictByDefault && strict === undefined) && { strict: strict ?? false }),
  };
}

function encodeSearch(tool: WebSearchTool, dialect: ResponsesDialect): JsonObject {
  const { contextSize, userLocation, allowedDomains } = tool;
  return {
    type: dialect.searchType ?? tool.type,
    ...(contextSize && { search_context_size: contextSize }),
    ...(userLocation && { user_location: { type: 'approximate', ...userLocation } }),
    ...(allowedDomains && { filters: { allowed_domains: allowedDomains } }),
  };
}

export function encodeToolChoice(
  choice: ToolChoice,
  search: WebSearchTool | undefined,
  { searchType }: ResponsesDialect,
): JsonObject | string {
  if (typeof choice === 'object') return { type: 'function', name: choice.name };
  return choice === 'web_search' ? { type: searchType ?? search?.type ?? choice } : choice;
}
