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
} as const;

export type ItemType = keyof typeof prefixes;

/** `index`: the position among the input or output items of the response. */
export function itemId(responseId: string, type: ItemType, side: 'input' | 'output', index: number): string {
  return `${prefixes[type]}${responseId.slice(responsePrefix.length)}${side === 'input' ? 'i' : 'o'}${index}`;
}

/** The id of the response that an item belongs to; undefined for an id that the gateway did not create. */
export function responseOf(id: string): string | undefined {
  const found = /^(?:msg|rs|fc|fco|ws)_([0-9a-f]{32})[io]\d+$/.exec(id)?.[1];
  return found === undefined ? undefined : `${responsePrefix}${found}`;
}
