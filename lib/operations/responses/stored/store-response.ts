/**
 * Stores a response for later turns, together with all of its input. If that fails, the response is still returned, with
 * `store: false`.
 */

import { GatewayError } from '../../../core/errors/errors.ts';
import { failureFields } from '../../../core/errors/failure-fields.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { Log } from '../../../core/ports/log.ts';
import { maxConversationBytes, type ResponseStore, type SharedPart } from '../../../core/stored-response.ts';
import { type Change, overridden } from '../../../normalization/rule.ts';
import type { History } from '../read/history.ts';
import type { ConversationItem } from '../read/item.ts';
import { storableItem } from '../write/echo.ts';
import { itemId } from '../write/ids.ts';

export interface StoreParts {
  readonly responses: ResponseStore;
  readonly log: Log;
}

interface StoreOptions {
  readonly id: string;
  readonly tenant: string;
  readonly requestId: string;
  readonly conversation: Conversation;
}

/** The input of a response as it is to be stored: without what is stored already, which may be large. */
export interface Conversation {
  readonly shared: readonly SharedPart[];
  /** Earlier items, as they are stored. */
  readonly earlier: readonly JsonObject[];
  /** What the model answered last, and the request's own items. */
  readonly items: readonly ConversationItem[];
  /** The ids of all earlier items, those of `shared` first. */
  readonly ids: readonly unknown[];
}

const maxMegabytes = maxConversationBytes / (1024 * 1024);

/** The change reported for a response that should have been stored. */
export const notStored: Change = overridden(
  'store',
  true,
  false,
  `The response could not be stored. With all of its input, one of at most ${maxMegabytes} MB can be.`,
);

/** What is stored of a request. */
export function conversationOf({ previous, earlier, items }: History): Conversation {
  if (!previous) return { shared: [], earlier: [], items, ids: [] };
  const { found, input } = previous;
  const answered = earlier.slice(input.length);
  return {
    shared: found.shared,
    earlier: found.input,
    items: [...answered, ...items],
    ids: input.map(({ id }) => id),
  };
}

/**
 * Throws GatewayError `context_length_exceeded` where the conversation would be larger than what is stored of one: found only
 * afterwards, it would end with an answer that has been paid for and cannot be continued.
 */
export function checkSize({ previous, items }: History): void {
  if (!previous) return;
  const bytes = previous.found.bytes + Buffer.byteLength(JSON.stringify(items));
  if (bytes <= maxConversationBytes) return;
  const message = `The stored conversation would have more than ${maxMegabytes} MB. Shorten it with POST /v1/responses/compact, start a new one, or send 'store': false.`;
  const param = 'previous_response_id';
  throw new GatewayError('invalid_request', message, { param, code: 'context_length_exceeded' });
}

/** Returns whether the response was stored. Never rejects. */
export async function storeResponse(
  { responses, log }: StoreParts,
  response: JsonObject,
  { id, tenant, requestId, conversation }: StoreOptions,
): Promise<boolean> {
  const { shared, earlier } = conversation;
  const input = [...earlier, ...withIds(id, conversation)];
  try {
    await responses.put(tenant, id, { response, input, shared });
    return true;
  } catch (cause) {
    log.warn('response not stored', { request_id: requestId, tenant, ...failureFields(cause) });
    return false;
  }
}

/** Keeps the caller's ids, which the caller may refer to. Ids must be unique, because pages start after an id. */
function withIds(responseId: string, { items, ids }: Conversation): readonly JsonObject[] {
  const usedIds = new Set<unknown>(['', ...ids]);
  return items.map((item, index) => {
    const callerId = item.id ?? '';
    const isUsed = usedIds.has(callerId);
    const id = isUsed ? itemId(responseId, item.type, 'input', ids.length + index) : callerId;
    usedIds.add(id);
    return { ...(item.type === 'protocol_item' ? storableItem(item.item) : item), id };
  });
}
