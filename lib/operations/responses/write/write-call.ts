/** Writes the call of a function or of a custom tool. */

import { isJsonObject } from '../../../core/formats/json-object.ts';
import { parseJson } from '../../../core/formats/parse-json.ts';
import type { ToolIdentity } from '../../../core/generation/request.ts';
import { createObjectEnd } from '../../object-end.ts';
import type { CustomToolCall, FunctionCall, ItemStatus } from '../read/items.ts';
import type { Ending, ItemWriter, Slot } from './write-item.ts';

export interface CallWriter extends ItemWriter {
  add(text: string): void;
  /** Says that nothing follows. */
  end(): void;
  /** Whether nothing can follow: the arguments are a complete JSON object, or their end was said. */
  isComplete(): boolean;
  close(ending: Ending): void;
}

export function openCall(slot: Slot, call_id: string, { name, namespace, kind }: ToolIdentity): CallWriter {
  let status: ItemStatus = 'in_progress';
  let text = '';
  let isEnded = false;
  const end = createObjectEnd();
  const isCustom = kind === 'custom';
  const called = { call_id, name, ...(namespace !== undefined && { namespace }) };
  const item = (): FunctionCall | CustomToolCall =>
    isCustom
      ? { id: slot.id, type: 'custom_tool_call', status, ...called, input: text }
      : { id: slot.id, type: 'function_call', status, ...called, arguments: text };
  const event = isCustom ? 'custom_tool_call_input' : 'function_call_arguments';
  slot.added(item());
  return {
    item,
    add(delta) {
      text += delta;
      if (!isCustom) end.add(delta);
      slot.emit(`${event}.delta`, { delta });
    },
    end() {
      isEnded = true;
    },
    isComplete: () => isEnded || (end.isReached() && isJsonObject(parseJson(text))),
    close(ending) {
      slot.emit(`${event}.done`, isCustom ? { input: text } : { name, arguments: text });
      status = ending;
      slot.done(item());
    },
  };
}
