/** A search of the web, made by the provider, as it is written. */
import type { JsonObject } from '../../../core/generation/request.ts';
import type { WebSearchItem } from '../read/items.ts';
import type { ItemWriter, Slot } from './write-item.ts';

export interface SearchWriter extends ItemWriter {
  end(status: 'completed' | 'failed', action?: JsonObject): void;
}

export function openSearch(slot: Slot): SearchWriter {
  let status: WebSearchItem['status'] = 'in_progress';
  // What is searched for is known when it has been found; until then the schema wants an action all the same.
  let action: JsonObject = { type: 'search', query: '' };
  const item = (): WebSearchItem => ({ id: slot.id, type: 'web_search_call', status, action });
  slot.added(item());
  slot.tell('web_search_call.in_progress');
  status = 'searching';
  slot.tell('web_search_call.searching');
  return {
    item,
    end(ending, known = action) {
      status = ending;
      action = known;
      if (ending === 'completed') slot.tell('web_search_call.completed');
      slot.done(item());
    },
  };
}
