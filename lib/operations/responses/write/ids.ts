/**
 * The ids of responses and their items. An item's id contains the id of its response, so that an item that a caller refers
 * to is found without an index.
 */

export const responsePrefix = 'resp_';

const prefixes = {
  message: 'msg_',
  reasoning: 'rs_',
  function_call: 'fc_',
  function_call_output: 'fco_',
  web_search_call: 'ws_',
  custom_tool_call: 'ctc_',
  custom_tool_call_output: 'ctco_',
  protocol_item: 'item_',
} as const;

export type ItemType = keyof typeof prefixes;

/** `index`: the position among the input or output items of the response. */
export function itemId(responseId: string, type: ItemType, side: 'input' | 'output', index: number): string {
  return prefixedId(prefixes[type], responseId, side, index);
}

/** The id of an answered item whose type only upstream knows: with the prefix of upstream's own, which it expects back. */
export function protocolItemId(responseId: string, upstreamId: unknown, index: number): string {
  const [prefix = prefixes.protocol_item] = /^[a-z]{1,16}_/.exec(`${upstreamId}`) ?? [];
  return prefixedId(prefix, responseId, 'output', index);
}

/** Whether the gateway made up the id of an input item that upstream has another prefix for. */
export const isMadeUp = (id: string): boolean =>
  id.startsWith(prefixes.protocol_item) && responseOf(id) !== undefined;

function prefixedId(prefix: string, responseId: string, side: 'input' | 'output', index: number): string {
  return `${prefix}${responseId.slice(responsePrefix.length)}${side === 'input' ? 'i' : 'o'}${index}`;
}

/** The id of the response that an item belongs to; undefined for an id that the gateway did not create. */
export function responseOf(id: string): string | undefined {
  const found = /^[a-z]{1,16}_([0-9a-f]{32})[io]\d+$/.exec(id)?.[1];
  return found === undefined ? undefined : `${responsePrefix}${found}`;
}
