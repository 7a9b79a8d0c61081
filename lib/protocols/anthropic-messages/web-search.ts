/**
 * Anthropic's own search of the web: the tool as it is declared, and the searches that an answer tells of. What was
 * found comes encrypted and stays behind; the addresses are told.
 */
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { JsonObject, WebSearchTool } from '../../core/generation/request.ts';
import { parseJson } from '../../core/parse-json.ts';
import { asArray, asObject, asText } from '../json.ts';

const toolName = 'web_search';

/** The tool of the generation that every model with a search has. */
export function encodeWebSearch(tool: WebSearchTool, most: number | undefined): JsonObject {
  const { contextSize, userLocation, allowedDomains } = tool;
  return {
    type: 'web_search_20250305',
    name: toolName,
    ...(most !== undefined && { max_uses: most }),
    ...(userLocation && { user_location: { type: 'approximate', ...userLocation } }),
    ...(allowedDomains && { allowed_domains: allowedDomains }),
    // Not on the wire's list: sent so that the provider refuses it.
    ...(contextSize !== undefined && { search_context_size: contextSize }),
  };
}

export const webSearchChoice = { type: 'tool', name: toolName } as const;

interface Search {
  readonly search: number;
  /** Its input as JSON text, as far as it has come. */
  input: string;
  isTold: boolean;
}

/** The searches of one answer. */
export interface Searches {
  readonly byId: Map<string, Search>;
  readonly byIndex: Map<number, Search>;
}

export const newSearches = (): Searches => ({ byId: new Map(), byIndex: new Map() });

type Events = readonly GenerationEvent[];

/** Nothing for other tools that the provider runs by itself. */
export function openSearch(searches: Searches, index: number, block: JsonObject): Events {
  if (block.name !== toolName) return [];
  const id = asText(block.id);
  const given = asObject(block.input);
  const search: Search = {
    search: searches.byId.size,
    input: Object.keys(given).length > 0 ? JSON.stringify(given) : '',
    isTold: false,
  };
  searches.byId.set(id, search);
  searches.byIndex.set(index, search);
  return [{ type: 'web-search', choice: 0, search: search.search, ...(id !== '' && { id }) }];
}

/** A piece of a search's input; whatever belongs to no search is passed over. */
export function writeSearch({ byIndex }: Searches, index: number, piece: string): void {
  const search = byIndex.get(index);
  if (search) search.input += piece;
}

/** What a search found, or that it failed. */
export function endSearch({ byId }: Searches, block: JsonObject): Events {
  const search = byId.get(asText(block.tool_use_id));
  if (!search || search.isTold) return [];
  // A search that failed has an object with the error's code instead of a list.
  const status = Array.isArray(block.content) ? 'completed' : 'failed';
  const urls = asArray(block.content).map((found) => asText(asObject(found).url));
  return [tell(search, status, urls)];
}

/** Searches that nothing was told of: the turn was paused, or ended, before they did. */
export function endSearches({ byId }: Searches): Events {
  return [...byId.values()].filter(({ isTold }) => !isTold).map((search) => tell(search, 'failed', []));
}

function tell(search: Search, status: 'completed' | 'failed', urls: readonly string[]): GenerationEvent {
  search.isTold = true;
  const query = asText(asObject(parseJson(search.input)).query);
  const sources = urls.filter((url) => url !== '').map((url) => ({ type: 'url', url }));
  const action = { type: 'search', query, queries: [query], sources };
  return { type: 'web-search-end', choice: 0, search: search.search, status, action };
}
