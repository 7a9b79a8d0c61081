/** Tools on the OpenAI Responses wire: functions in their flat form, and the host's own search of the web. */
import type {
  GenerationRequest,
  JsonObject,
  Tool,
  ToolChoice,
  WebSearchTool,
} from '../../core/generation/request.ts';
import type { ResponsesDialect } from './dialect.ts';

/** In the caller's order, so that a refusal that counts them counts as the caller does. */
export function encodeTools(
  { tools, webSearch }: GenerationRequest,
  dialect: ResponsesDialect,
): readonly JsonObject[] {
  const functions = tools.map(encodeTool);
  return webSearch ? functions.toSpliced(webSearch.position, 0, encodeSearch(webSearch, dialect)) : functions;
}

/**
 * The wire takes a function without `strict` for a strict one, and would rewrite its schema. A function is strict only
 * where the caller said so, on this wire as on all others.
 */
function encodeTool({ name, description, parameters, strict = false }: Tool): JsonObject {
  return {
    type: 'function',
    name,
    ...(description !== undefined && { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
    strict,
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
