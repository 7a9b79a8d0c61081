/**
 * The items of an answer on the Responses wire, and which event tells of which. Items are known by their place: some hosts
 * give one item another id in each event. What a kind of item holds is in a file of its own.
 */
import type { JsonObject } from '../../core/generation/request.ts';
import { asIndex, asObject, asText, lookUp } from '../json.ts';
import type { Answer, Events } from './answer.ts';
import { type CallItem, closeCall, newCall, onArguments, onArgumentsDelta, openCall } from './call-item.ts';
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
import { closeSearch, newSearch, openSearch, type SearchItem } from './search-item.ts';

type Item = MessageItem | ReasoningItem | CallItem | SearchItem | { readonly type: 'other' };

/** What is in a place of the answer. */
interface Place {
  readonly item: Item;
  isClosed: boolean;
}

export interface Items {
  readonly answer: Answer;
  readonly places: Map<number, Place>;
}

type OnEvent = (items: Items, event: JsonObject) => Events;

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
    onReasoningPart(answer, item, 'summary', { ...event, ...asObject(event.part) }),
  ),
  'response.reasoning_text.delta': ofReasoning((answer, item, event) =>
    onReasoningDelta(answer, item, 'text', event),
  ),
  'response.reasoning_text.done': ofReasoning((answer, item, event) =>
    onReasoningPart(answer, item, 'text', event),
  ),
  'response.function_call_arguments.delta': ofCall(onArgumentsDelta),
  'response.function_call_arguments.done': ofCall(onArguments),
};

/** What an event tells of the item that it belongs to; nothing for an event that is not known. */
export function onItemEvent(items: Items, event: JsonObject): Events {
  return lookUp(table, asText(event.type))?.(items, event) ?? [];
}

/** Ends what the host left open. */
export function closeAll(items: Items): Events {
  return [...items.places.values()].flatMap((place) => close(items, place, {}));
}

/** An item that takes the place of another ends it. */
function onItemAdded(items: Items, event: JsonObject): Events {
  const at = asIndex(event.output_index, items.places.size);
  const source = asObject(event.item);
  const place = items.places.get(at);
  if (place && !place.isClosed && place.item.type === source.type) return [];
  return [...(place ? close(items, place, {}) : []), ...open(items, at, source)];
}

function onItemDone(items: Items, event: JsonObject): Events {
  const source = asObject(event.item);
  const at = asIndex(event.output_index, lastOpen(items, source.type));
  const opened = items.places.has(at) ? [] : open(items, at, source);
  const place = items.places.get(at);
  return place ? [...opened, ...close(items, place, source)] : [];
}

/** A part that holds reasoning is one of a reasoning item. */
function onContentPart(items: Items, event: JsonObject): Events {
  const part = asObject(event.part);
  const ofItem =
    part.type === 'reasoning_text'
      ? ofReasoning((answer, item) => onReasoningPart(answer, item, 'text', { ...event, ...part }))
      : ofMessage((answer, item) => onPart(answer, item, event.content_index, part));
  return ofItem(items, event);
}

function open({ answer, places }: Items, at: number, source: JsonObject): Events {
  const put = <Kind extends Item>(item: Kind): Kind => {
    places.set(at, { item, isClosed: false });
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
    case 'web_search_call':
      return openSearch(put(newSearch(answer)), source);
    default:
      put({ type: 'other' });
      return [];
  }
}

function close({ answer }: Items, place: Place, source: JsonObject): Events {
  if (place.isClosed) return [];
  place.isClosed = true;
  const { item } = place;
  switch (item.type) {
    case 'message':
      return closeMessage(answer, item, source);
    case 'reasoning':
      return closeReasoning(answer, item, source);
    case 'function_call':
      return closeCall(answer, item, source);
    case 'web_search_call':
      return closeSearch(item, source);
    case 'other':
      return [];
  }
}

/** Where the item of an event is that names no place: the last one of its type that is open, else a new one. */
function lastOpen({ places }: Items, type: unknown): number {
  const open = [...places].findLast(([, { item, isClosed }]) => !isClosed && item.type === type);
  return open ? open[0] : places.size;
}

/** The event's item, which is begun where the host did not say that it begins; none where it has ended. */
function itemOf(items: Items, event: JsonObject, type: string): { item: Item | undefined; opened: Events } {
  const at = asIndex(event.output_index, lastOpen(items, type));
  const opened = items.places.has(at) ? [] : open(items, at, { type, id: event.item_id });
  const place = items.places.get(at);
  return { item: place?.isClosed ? undefined : place?.item, opened };
}

function ofMessage(handle: (answer: Answer, item: MessageItem, event: JsonObject) => Events): OnEvent {
  return (items, event) => {
    const { item, opened } = itemOf(items, event, 'message');
    return item?.type === 'message' ? [...opened, ...handle(items.answer, item, event)] : opened;
  };
}

function ofReasoning(handle: (answer: Answer, item: ReasoningItem, event: JsonObject) => Events): OnEvent {
  return (items, event) => {
    const { item, opened } = itemOf(items, event, 'reasoning');
    return item?.type === 'reasoning' ? [...opened, ...handle(items.answer, item, event)] : opened;
  };
}

function ofCall(handle: (item: CallItem, event: JsonObject) => Events): OnEvent {
  return (items, event) => {
    const { item, opened } = itemOf(items, event, 'function_call');
    return item?.type === 'function_call' ? [...opened, ...handle(item, event)] : opened;
  };
}
