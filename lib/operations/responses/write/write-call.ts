/** A call of a caller's function as it is written. */
import { isJsonObject } from '../../../core/json-object.ts';
import { parseJson } from '../../../core/parse-json.ts';
import type { FunctionCall, ItemStatus } from '../read/items.ts';
import type { Ending, ItemWriter, Slot } from './write-item.ts';

export interface CallWriter extends ItemWriter {
  add(text: string): void;
  /** Whether the arguments are a JSON object: then nothing can follow. */
  isWhole(): boolean;
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
      slot.tell('function_call_arguments.delta', { delta });
    },
    isWhole: () => isJsonObject(parseJson(text)),
    close(ending) {
      slot.tell('function_call_arguments.done', { name, arguments: text });
      status = ending;
      slot.done(item());
    },
  };
}
