/**
 * Keeping a response for later turns: the response as it is, and all input it was made from. A response that cannot be
 * kept is answered all the same, and says that it is not there to be found.
 */
import type { JsonObject } from '../../../core/generation/request.ts';
import type { Log } from '../../../core/ports.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import type { Change } from '../../../normalization/rule.ts';
import type { History } from '../read/history.ts';
import type { ConversationItem } from '../read/item.ts';
import { itemId } from '../write/ids.ts';

export interface KeepParts {
  readonly responses: ResponseStore;
  readonly log: Log;
}

export interface KeepOptions {
  readonly id: string;
  readonly tenant: string;
  readonly requestId: string;
  readonly history: History;
}

/** What is told of a response that should have been kept. */
export const notKept: Change = {
  param: 'store',
  action: 'override',
  before: true,
  after: false,
  reason: 'The response could not be kept.',
};

/** Whether it was kept; never rejects. */
export async function keepResponse(
  { responses, log }: KeepParts,
  response: JsonObject,
  { id, tenant, requestId, history }: KeepOptions,
): Promise<boolean> {
  const input = withIds(id, [...history.earlier, ...history.items]);
  try {
    await responses.keep(tenant, id, { response, input });
    return true;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.name : 'unknown';
    log.warn('response not kept', { request_id: requestId, tenant, reason });
    return false;
  }
}

/** A caller's own id stays, for the caller may refer to it; but an id names one item only: pages begin after one. */
function withIds(responseId: string, items: readonly ConversationItem[]): readonly JsonObject[] {
  const taken = new Set(['']);
  return items.map((item, place) => {
    const own = item.id ?? '';
    const id = taken.has(own) ? itemId(responseId, item.type, 'input', place) : own;
    taken.add(id);
    return { ...item, id };
  });
}
