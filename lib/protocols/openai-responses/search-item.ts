/** A web search that the host made. */

import { asObject, isJsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { asOptionalText, asText } from '../json.ts';
import type { Answer, Events } from './answer.ts';
import type * as wire from './wire.ts';

export interface SearchItem {
  readonly type: 'web_search_call';
  readonly search: number;
}

export function newSearch(answer: Answer): SearchItem {
  const search = answer.searches;
  answer.searches += 1;
  return { type: 'web_search_call', search };
}

export function openSearch({ search }: SearchItem, source: wire.Item): Events {
  const id = asOptionalText(source.id);
  return [{ type: 'web-search', choice: 0, search, ...(id !== undefined && { id }) }];
}

/** A search without an end has failed. */
export function closeSearch({ search }: SearchItem, source: wire.Item): Events {
  const status = source.status === 'completed' ? 'completed' : 'failed';
  return [{ type: 'web-search-end', choice: 0, search, status, action: readAction(source) }];
}

/** xAI reports no action, but the arguments of its own tool. */
function readAction({ action, arguments: text }: wire.Item): JsonObject {
  if (isJsonObject(action)) return action;
  const { url, query } = asObject<wire.SearchArguments>(parseJson(asText(text)));
  const address = asOptionalText(url);
  return address === undefined
    ? { type: 'search', query: asText(query) }
    : { type: 'open_page', url: address };
}
