/** Writes a web search item: a search that the provider has made. */
import type { JsonObject } from '../../../core/generation/request.ts';
import type { WebSearchItem } from '../read/items.ts';
import type { ItemWriter, Slot } from './write-item.ts';

export interface SearchWriter extends ItemWriter {
  end(status: 'completed' | 'failed', action?: JsonObject): void;
}

export function openSearch(slot: Slot): SearchWriter {
  let status: WebSearchItem['status'] = 'in_progress';
  // The query is known only when the search ends, but the schema requires an action from the start.
  let action: JsonObject = { type: 'search', query: '' };
  const item = (): WebSearchItem => ({ id: slot.id, type: 'web_search_call', status, action });
  slot.added(item());
  slot.emit('web_search_call.in_progress');
  status = 'searching';
  slot.emit('web_search_call.searching');
  return {
    item,
    end(ending, known = action) {
      status = ending;
      action = known;
      if (ending === 'completed') slot.emit('web_search_call.completed');
      slot.done(item());
    },
  };
}
