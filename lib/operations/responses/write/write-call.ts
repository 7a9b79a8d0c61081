/** Writes a function call item. */
import { isJsonObject } from '../../../core/json-object.ts';
import { parseJson } from '../../../core/parse-json.ts';
import type { FunctionCall, ItemStatus } from '../read/items.ts';
import type { Ending, ItemWriter, Slot } from './write-item.ts';

export interface CallWriter extends ItemWriter {
  add(text: string): void;
  /** Whether the arguments are a complete JSON object, so that nothing can follow. */
  isComplete(): boolean;
  close(ending: Ending): void;
}

export function openCall(slot: Slot, call_id: string, name: string): CallWriter {
  let status: ItemStatus = 'in_progress';
  let text = '';
  const item = (): FunctionCall => ({
    id: slot.id,
    type: 'function_call',
    status,
    call_id,
    name,
    arguments: text,
  });
  slot.added(item());
  return {
    item,
    add(delta) {
      text += delta;
      slot.emit('function_call_arguments.delta', { delta });
    },
    isComplete: () => isJsonObject(parseJson(text)),
    close(ending) {
      slot.emit('function_call_arguments.done', { name, arguments: text });
      status = ending;
      slot.done(item());
    },
  };
}
