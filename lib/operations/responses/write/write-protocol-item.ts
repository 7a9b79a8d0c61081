/** Writes an item that only upstream knows: as upstream sends it, but for ids and numbers, which are the response's own. */
import type { JsonObject } from '../../../core/generation/request.ts';
import type { ItemWriter, Slot } from './write-item.ts';

export interface ProtocolItemWriter extends ItemWriter {
  /** Passes on an event of the item. */
  pass(event: JsonObject): void;
  end(body: JsonObject): void;
}

export function openProtocolItem(slot: Slot, begun: JsonObject): ProtocolItemWriter {
  let body = begun;
  const item = () => ({ type: 'protocol_item' as const, item: { ...body, id: slot.id } });
  slot.added(item());
  return {
    item,
    pass({ type, item_id, output_index, sequence_number, ...fields }) {
      // The name begins with `response.`, as that of every event of an item.
      if (typeof type === 'string') slot.emit(type.replace(/^response\./, ''), fields);
    },
    end(whole) {
      body = whole;
      slot.done(item());
    },
  };
}
