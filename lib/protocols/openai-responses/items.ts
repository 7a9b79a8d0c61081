/**
 * The items of an answer in the Responses protocol, and which event belongs to which item. Items are identified by position,
 * because some hosts change an item's id in every event. Each type of item has its own file.
 */

import { asObject } from '../../core/formats/json-object.ts';
import { upstreamError } from '../failure.ts';
import { asIndex, asText, lookUp } from '../json.ts';
import { type Answer, type Events, entryOf } from './answer.ts';
import { type CallItem, closeCall, newCall, onArguments, onArgumentsDelta, openCall } from './call-item.ts';
import {
  closeProtocolItem,
  closeSearch,
  newProtocolItem,
  newSearch,
  onProtocolItemEvent,
  openProtocolItem,
  openSearch,
  type ProtocolItem,
  type SearchItem,
} from './host-items.ts';
import {
  closeMessage,
  type MessageItem,
  newMessage,
  onAnnotation,
  onPart,
  onRefusal,
  onRefusalDelta,
  onText,
  onTextDelta,
  openMessage,
} from './message-item.ts';
import {
  closeReasoning,
  newReasoning,
  onReasoningDelta,
  onReasoningPart,
  type ReasoningItem,
} from './reasoning-item.ts';
import type * as wire from './wire.ts';

type Item = MessageItem | ReasoningItem | CallItem | SearchItem | ProtocolItem;

/** The item at a position of the answer. */
interface ItemState {
  readonly item: Item;
  isClosed: boolean;
}

export interface Items {
  readonly answer: Answer;
  readonly byPosition: Map<number, ItemState>;
  /** The positions at which items of each type were opened. Those of closed ones are dropped from the end. */
  readonly opened: Map<unknown, number[]>;
}

export const newItems = (answer: Answer): Items => ({ answer, byPosition: new Map(), opened: new Map() });

type OnEvent = (items: Items, event: wire.Event) => Events;

const table: Readonly<Record<string, OnEvent>> = {
  'response.output_item.added': onItemAdded,
  'response.output_item.done': onItemDone,
  'response.content_part.done': onContentPart,
  'response.output_text.delta': ofMessage(onTextDelta),
  'response.output_text.done': ofMessage(onText),
  'response.output_text.annotation.added': ofMessage(onAnnotation),
  'response.refusal.delta': ofMessage(onRefusalDelta),
  'response.refusal.done': ofMessage(onRefusal),
  'response.reasoning_summary_text.delta': ofReasoning((answer, item, event) =>
    onReasoningDelta(answer, item, 'summary', event),
  ),
  'response.reasoning_summary_text.done': ofReasoning((answer, item, event) =>
    onReasoningPart(answer, item, 'summary', event),
  ),
  'response.reasoning_summary_part.done': ofReasoning((answer, item, event) =>
    onReasoningPart(answer, item, 'summary', { ...event, ...asObject<wire.ReasoningPart>(event.part) }),
  ),
  'response.reasoning_text.delta': ofReasoning((answer, item, event) =>
    onReasoningDelta(answer, item, 'text', event),
  ),
  'response.reasoning_text.done': ofReasoning((answer, item, event) =>
    onReasoningPart(answer, item, 'text', event),
  ),
  'response.function_call_arguments.delta': ofCall('function_call', onArgumentsDelta),
  'response.function_call_arguments.done': ofCall('function_call', onArguments),
  'response.custom_tool_call_input.delta': ofCall('custom_tool_call', onArgumentsDelta),
  'response.custom_tool_call_input.done': ofCall('custom_tool_call', onArguments),
};

/** Handles an event of an item. Others are passed on with the item that they belong to, or ignored. */
export function onItemEvent(items: Items, event: wire.Event): Events {
  const handle = lookUp(table, asText(event.type)) ?? onOtherEvent;
  return handle(items, event);
}

function onOtherEvent({ byPosition }: Items, event: wire.Event): Events {
  const state = byPosition.get(asIndex(event.output_index, -1));
  if (state?.item.type !== 'protocol_item' || state.isClosed) return [];
  return onProtocolItemEvent(state.item, event);
}

/** Closes the items that the host left open. */
export function closeAll(items: Items): Events {
  return [...items.byPosition.values()].flatMap((state) => close(items, state, {}));
}

/** A new item at the same position closes the previous one. */
function onItemAdded(items: Items, event: wire.Event): Events {
  const at = asIndex(event.output_index, items.byPosition.size);
  const source = asObject<wire.Item>(event.item);
  const state = items.byPosition.get(at);
  if (state && !state.isClosed && typeOf(state.item) === source.type) return [];
  return [...(state ? close(items, state, {}) : []), ...open(items, at, source)];
}

function onItemDone(items: Items, event: wire.Event): Events {
  const source = asObject<wire.Item>(event.item);
  const at = positionOf(items, event, source.type);
  const opened = items.byPosition.has(at) ? [] : open(items, at, source);
  const state = items.byPosition.get(at);
  return state ? [...opened, ...close(items, state, source)] : [];
}

/** A part with reasoning belongs to a reasoning item. */
function onContentPart(items: Items, event: wire.Event): Events {
  const part = asObject<wire.Part>(event.part);
  const ofItem =
    part.type === 'reasoning_text'
      ? ofReasoning((answer, item) => onReasoningPart(answer, item, 'text', { ...event, ...part }))
      : ofMessage((answer, item) => onPart(answer, item, event.content_index, part));
  return ofItem(items, event);
}

function open({ answer, byPosition, opened }: Items, at: number, source: wire.Item): Events {
  const put = <Kind extends Item>(item: Kind): Kind => {
    byPosition.set(at, { item, isClosed: false });
    entryOf(opened, typeOf(item), () => []).push(at);
    return item;
  };
  switch (source.type) {
    case 'message':
      put(newMessage());
      return openMessage(source);
    case 'reasoning':
      put(newReasoning(source));
      return [];
    case 'function_call':
      return openCall(answer, put(newCall()), source);
    case 'custom_tool_call':
      if (!answer.hasCustomTools) return openProtocolItem(put(newProtocolItem(answer, source)));
      return openCall(answer, put(newCall(source.type)), source);
    case 'web_search_call':
      return openSearch(put(newSearch(answer)), source);
    default:
      // Newer types than the gateway's are passed on, but each item has one.
      if (asText(source.type) === '') throw upstreamError('upstream_invalid_answer');
      return openProtocolItem(put(newProtocolItem(answer, source)));
  }
}

function close({ answer }: Items, state: ItemState, source: wire.Item): Events {
  if (state.isClosed) return [];
  state.isClosed = true;
  const { item } = state;
  switch (item.type) {
    case 'message':
      return closeMessage(answer, item, source);
    case 'reasoning':
      return closeReasoning(answer, item, source);
    case 'function_call':
    case 'custom_tool_call':
      return closeCall(answer, item, source);
    case 'web_search_call':
      return closeSearch(item, source);
    case 'protocol_item':
      return closeProtocolItem(item, source);
  }
}

/** The type that the host gives an item. */
const typeOf = (item: Item) => (item.type === 'protocol_item' ? item.hostType : item.type);

/** The position of an event. Without one, it is that of the last open item of its type, else a new one. */
function positionOf({ byPosition, opened }: Items, { output_index }: wire.Event, type: unknown): number {
  const known = asIndex(output_index, -1);
  if (known >= 0) return known;
  const positions = opened.get(type) ?? [];
  while (positions.length > 0) {
    const last = positions.at(-1) ?? 0;
    const state = byPosition.get(last);
    if (state && !state.isClosed && typeOf(state.item) === type) return last;
    positions.pop();
  }
  return byPosition.size;
}

/** The item of an event. Opened if the host did not announce it; undefined if it is closed. */
function itemOf(items: Items, event: wire.Event, type: string): { item: Item | undefined; opened: Events } {
  const at = positionOf(items, event, type);
  const opened = items.byPosition.has(at) ? [] : open(items, at, { type, id: event.item_id });
  const state = items.byPosition.get(at);
  return { item: state?.isClosed ? undefined : state?.item, opened };
}

function ofMessage(handle: (answer: Answer, item: MessageItem, event: wire.Event) => Events): OnEvent {
  return (items, event) => {
    const { item, opened } = itemOf(items, event, 'message');
    return item?.type === 'message' ? [...opened, ...handle(items.answer, item, event)] : opened;
  };
}

function ofReasoning(handle: (answer: Answer, item: ReasoningItem, event: wire.Event) => Events): OnEvent {
  return (items, event) => {
    const { item, opened } = itemOf(items, event, 'reasoning');
    return item?.type === 'reasoning' ? [...opened, ...handle(items.answer, item, event)] : opened;
  };
}

function ofCall(type: CallItem['type'], handle: (item: CallItem, event: wire.Event) => Events): OnEvent {
  return (items, event) => {
    const { item, opened } = itemOf(items, event, type);
    if (item?.type === 'protocol_item') return [...opened, ...onProtocolItemEvent(item, event)];
    return item?.type === type ? [...opened, ...handle(item as CallItem, event)] : opened;
  };
}
