/** What the writers of all types of output items share: the item's slot in the output, which emits its events. */
import { isJsonObject } from '../../../core/formats/json-object.ts';
import { parseJson } from '../../../core/formats/parse-json.ts';
import type { JsonObject, ReasoningDetail, ToolIdentity } from '../../../core/generation/request.ts';
import { createObjectEnd } from '../../object-end.ts';
import type {
  CustomToolCall,
  FunctionCall,
  ItemStatus,
  OutputItem,
  ReasoningItem,
  SummaryText,
  WebSearchItem,
} from '../read/item.ts';
import { encodeReasoning } from './encrypted-content.ts';

/** The position of one item in the output. */
export interface Slot {
  readonly id: string;
  /** Emits an event of the item; `type` without `response.`. */
  emit(type: string, fields?: object): void;
  /** What emits events of a type that differ in their deltas only. */
  deltas(type: string, fields?: object): (delta: object) => void;
  added(item: OutputItem): void;
  done(item: OutputItem): void;
}

export interface ItemWriter {
  /** The item as written so far. */
  item(): OutputItem;
}

/** The final status of an item. */
export type Ending = 'completed' | 'incomplete';

export type CallWriter = ReturnType<typeof openCall>;

export function openCall(slot: Slot, call_id: string, { name, namespace, kind }: ToolIdentity) {
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
  const emitDelta = slot.deltas(`${event}.delta`);
  slot.added(item());
  return {
    item,
    add(delta: string) {
      text += delta;
      if (!isCustom) end.add(delta);
      emitDelta({ delta });
    },
    /** Says that nothing follows. */
    end() {
      isEnded = true;
    },
    /** Whether nothing can follow: the arguments are a complete JSON object, or their end was said. */
    isComplete: () => isEnded || (end.isReached() && isJsonObject(parseJson(text))),
    close(ending: Ending) {
      slot.emit(`${event}.done`, isCustom ? { input: text } : { name, arguments: text });
      status = ending;
      slot.done(item());
    },
  };
}

export type SearchWriter = ReturnType<typeof openSearch>;

export function openSearch(slot: Slot) {
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
    end(ending: 'completed' | 'failed', known: JsonObject = action) {
      status = ending;
      action = known;
      if (ending === 'completed') slot.emit('web_search_call.completed');
      slot.done(item());
    },
  };
}

export type ProtocolItemWriter = ReturnType<typeof openProtocolItem>;

export function openProtocolItem(slot: Slot, begun: JsonObject) {
  let body = begun;
  const item = () => ({ type: 'protocol_item' as const, item: { ...body, id: slot.id } });
  slot.added(item());
  return {
    item,
    /** Passes on an event of the item. */
    pass({ type, item_id, output_index, sequence_number, ...fields }: JsonObject) {
      // The name begins with `response.`, as that of every event of an item.
      if (typeof type === 'string') slot.emit(type.replace(/^response\./, ''), fields);
    },
    end(whole: JsonObject) {
      body = whole;
      slot.done(item());
    },
  };
}

export type ReasoningWriter = ReturnType<typeof openReasoning>;

export function openReasoning(slot: Slot) {
  const texts: string[] = [];
  const details: ReasoningDetail[] = [];
  let open: string | undefined;
  const item = (): ReasoningItem => {
    const all = open === undefined ? texts : [...texts, open];
    const encoded = details.length > 0 && { encrypted_content: encodeReasoning(details) };
    return { id: slot.id, type: 'reasoning', summary: all.map(writePart), ...encoded };
  };
  const emit = (type: string, fields: object) => slot.emit(type, { summary_index: texts.length, ...fields });
  const closePart = () => {
    if (open === undefined) return;
    emit('reasoning_summary_text.done', { text: open });
    emit('reasoning_summary_part.done', { part: writePart(open) });
    texts.push(open);
    open = undefined;
  };
  slot.added(item());
  return {
    item,
    text(delta: string) {
      if (open === undefined) emit('reasoning_summary_part.added', { part: writePart('') });
      open = (open ?? '') + delta;
      emit('reasoning_summary_text.delta', { delta });
    },
    /** A detail with text ends the summary part of that text. */
    detail(detail: ReasoningDetail) {
      details.push(detail);
      if (detail.type !== 'reasoning.encrypted') closePart();
    },
    close() {
      closePart();
      slot.done(item());
    },
  };
}

const writePart = (text: string): SummaryText => ({ type: 'summary_text', text });
