/**
 * Anthropic's web search: the declaration of the tool, and the searches of an answer. The results are encrypted and omitted;
 * their addresses are reported.
 */

import { asArray, asObject, withoutUndefined } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { WebSearchTool } from '../../core/generation/request.ts';
import { asText } from '../json.ts';
import type * as wire from './wire.ts';

const toolName = 'web_search';

/** The version of the tool that every model with web search supports. */
export function encodeWebSearch(tool: WebSearchTool, maxUses: number | undefined): wire.WebSearchTool {
  const { contextSize, userLocation, allowedDomains } = tool;
  return withoutUndefined<wire.WebSearchTool>({
    type: 'web_search_20250305',
    name: toolName,
    max_uses: maxUses,
    user_location: userLocation && { type: 'approximate', ...userLocation },
    allowed_domains: allowedDomains,
    // Not supported by the protocol: sent so that the provider rejects it.
    search_context_size: contextSize,
  });
}

export const webSearchChoice = { type: 'tool', name: toolName } as const;

interface Search {
  readonly search: number;
  /** Its input so far, as JSON text. */
  input: string;
  isEmitted: boolean;
}

/** The searches of one answer. */
export interface Searches {
  readonly byId: Map<string, Search>;
  readonly byIndex: Map<number, Search>;
}

export const newSearches = (): Searches => ({ byId: new Map(), byIndex: new Map() });

type Events = readonly GenerationEvent[];

/** Ignores other tools that the provider runs itself. */
export function openSearch(searches: Searches, index: number, block: wire.Block): Events {
  if (block.name !== toolName) return [];
  const id = asText(block.id);
  const given = asObject(block.input);
  const search: Search = {
    search: searches.byId.size,
    input: Object.keys(given).length > 0 ? JSON.stringify(given) : '',
    isEmitted: false,
  };
  searches.byId.set(id, search);
  searches.byIndex.set(index, search);
  return [{ type: 'web-search', choice: 0, search: search.search, ...(id !== '' && { id }) }];
}

/** A piece of a search's input. Anything that does not belong to a search is ignored. */
export function writeSearch({ byIndex }: Searches, index: number, piece: string): void {
  const search = byIndex.get(index);
  if (search) search.input += piece;
}

/** The result of a search, or its failure. */
export function endSearch({ byId }: Searches, block: wire.Block): Events {
  const search = byId.get(asText(block.tool_use_id));
  if (!search || search.isEmitted) return [];
  // A failed search has an object with an error code instead of a list.
  const status = Array.isArray(block.content) ? 'completed' : 'failed';
  const urls = asArray(block.content).map((found) => asText(asObject<wire.SearchResult>(found).url));
  return [emitEnd(search, status, urls)];
}

/** Searches without a result, because the turn was paused or ended before. */
export function endSearches({ byId }: Searches): Events {
  return [...byId.values()]
    .filter(({ isEmitted }) => !isEmitted)
    .map((search) => emitEnd(search, 'failed', []));
}

function emitEnd(search: Search, status: 'completed' | 'failed', urls: readonly string[]): GenerationEvent {
  search.isEmitted = true;
  const query = asText(asObject<wire.SearchInput>(parseJson(search.input)).query);
  const sources = urls.filter((url) => url !== '').map((url) => ({ type: 'url', url }));
  const action = { type: 'search', query, queries: [query], sources };
  return { type: 'web-search-end', choice: 0, search: search.search, status, action };
}
