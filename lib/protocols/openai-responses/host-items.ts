/** Calls of tools that the host runs: web searches, and what only this protocol has. */

import { asObject, isJsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { asOptionalText, asText } from '../json.ts';
import type { Answer, Events } from './answer.ts';
import type * as wire from './wire.ts';

/** A web search that the host made. */
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

/**
 * An item that only this protocol has, such as a call of a hosted tool. It is passed on whole, with its own events, also where its
 * type is newer than the gateway.
 */
export interface ProtocolItem {
  readonly type: 'protocol_item';
  /** The type that the host gives it. */
  readonly hostType: unknown;
  readonly item: number;
  /** As the host last sent it. */
  body: JsonObject;
}

export function newProtocolItem(answer: Answer, body: JsonObject): ProtocolItem {
  const item = answer.protocolItems;
  answer.protocolItems += 1;
  return { type: 'protocol_item', hostType: body.type, item, body };
}

export function openProtocolItem({ item, body }: ProtocolItem): Events {
  return [{ type: 'protocol-item', choice: 0, item, body }];
}

/** The padding of its texts is left out: streams of the gateway have none. */
export function onProtocolItemEvent({ item }: ProtocolItem, given: JsonObject): Events {
  const { obfuscation: _, ...body } = given;
  return [{ type: 'protocol-item-event', choice: 0, item, body }];
}

/** An item without an end stays as it began. */
export function closeProtocolItem(state: ProtocolItem, source: JsonObject): Events {
  if (Object.keys(source).length > 0) state.body = source;
  return [{ type: 'protocol-item-end', choice: 0, item: state.item, body: state.body }];
}
