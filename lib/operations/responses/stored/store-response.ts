/**
 * Stores a response for later turns, together with all of its input. If that fails, the response is still returned, with
 * `store: false`.
 */
import type { JsonObject } from '../../../core/generation/request.ts';
import type { Log } from '../../../core/ports/log.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import type { Change } from '../../../normalization/rule.ts';
import type { History } from '../read/history.ts';
import type { ConversationItem } from '../read/item.ts';
import { storableItem } from '../write/echo.ts';
import { itemId } from '../write/ids.ts';

export interface StoreParts {
  readonly responses: ResponseStore;
  readonly log: Log;
}

export interface StoreOptions {
  readonly id: string;
  readonly tenant: string;
  readonly requestId: string;
  readonly history: History;
}

/** The change reported for a response that should have been stored. */
export const notStored: Change = {
  param: 'store',
  action: 'override',
  before: true,
  after: false,
  reason: 'The response could not be stored.',
};

/** Returns whether the response was stored. Never rejects. */
export async function storeResponse(
  { responses, log }: StoreParts,
  response: JsonObject,
  { id, tenant, requestId, history }: StoreOptions,
): Promise<boolean> {
  const input = withIds(id, [...history.earlier, ...history.items]);
  try {
    await responses.put(tenant, id, { response, input });
    return true;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.name : 'unknown';
    log.warn('response not stored', { request_id: requestId, tenant, reason });
    return false;
  }
}

/** Keeps the caller's ids, which the caller may refer to. Ids must be unique, because pages start after an id. */
function withIds(responseId: string, items: readonly ConversationItem[]): readonly JsonObject[] {
  const usedIds = new Set(['']);
  return items.map((item, index) => {
    const callerId = item.id ?? '';
    const id = usedIds.has(callerId) ? itemId(responseId, item.type, 'input', index) : callerId;
    usedIds.add(id);
    return { ...(item.type === 'protocol_item' ? storableItem(item.item) : item), id };
  });
}
