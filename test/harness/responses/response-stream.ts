/**
 * Reads a Responses stream as a careful client would: every rule of the grammar is checked on the way, and every event
 * against OpenAI's public schema where that is there.
 */
import { createParser } from 'eventsource-parser';
import { expect } from 'vitest';
import { hasOpenAiSchema, openAiSchema } from '../openai-schema.ts';
import {
  folded,
  type ItemSeen,
  itemGrammar,
  type Json,
  onItemAdded,
  onItemDone,
  type ResponseEvent,
} from './response-items.ts';

export type { Json, ResponseEvent } from './response-items.ts';

export interface ResponseSeen extends Json {
  readonly id: string;
  readonly status: string;
  readonly output: readonly Json[];
  readonly usage?: Json;
  readonly debug?: Json;
}

export interface ResponseStreamSeen {
  readonly events: readonly ResponseEvent[];
  /** The object that the stream ends with. */
  readonly response: ResponseSeen;
  /** What the stream sent before it failed. */
  readonly error: ResponseEvent | undefined;
}

/** The events of a stream's text, as they were named and in order. */
export function responseEventsOf(text: string): readonly ResponseEvent[] {
  const found: ResponseEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const parsed: ResponseEvent = JSON.parse(data);
      expect(event, 'the name of an event is its type').toBe(parsed.type);
      found.push(parsed);
    },
  });
  parser.feed(text);
  return found;
}

/** Folds a stream's text and fails the test where it breaks the grammar of Responses streams. */
export function readResponseStream(text: string): ResponseStreamSeen {
  const events = responseEventsOf(text);
  const numbers = events.map((event) => event.sequence_number);
  expect(numbers, 'events are numbered without gaps').toEqual([...events.keys()]);
  events.forEach(checkSchema);
  const [created, started, ...rest] = events;
  checkHead(created, 'response.created');
  checkHead(started, 'response.in_progress');
  const last = rest.pop();
  const error = rest.at(-1)?.type === 'error' ? rest.pop() : undefined;
  const items: ItemSeen[] = [];
  for (const event of rest) onEvent(items, event);
  const response = last?.response as ResponseSeen;
  checkEnd(items, response, { beginning: created?.response as ResponseSeen, last, error });
  return { events, response, error };
}

function checkHead(event: ResponseEvent | undefined, type: string): void {
  expect(event).toMatchObject({ type, response: { status: 'in_progress', output: [], error: null } });
  expect(event?.response).not.toHaveProperty('debug');
}

function onEvent(items: ItemSeen[], event: ResponseEvent): void {
  if (event.type === 'response.output_item.added') {
    onItemAdded(items, event);
    return;
  }
  const seen = items[Number(event.output_index)];
  if (!seen) throw new Error(`${event.type} is of no item.`);
  expect(seen.isDone, 'nothing comes after an item is done').toBe(false);
  if (event.type === 'response.output_item.done') {
    onItemDone(seen, event);
    return;
  }
  const name = event.type.replace('response.', '');
  const grammar = itemGrammar[name];
  if (!grammar) throw new Error(`${event.type} is not an event of the grammar.`);
  expect([event.item_id, seen.item.type]).toEqual([seen.item.id, grammar.of]);
  grammar.step(seen, event);
  seen.eventNames.push(name);
}

const terminal = ['completed', 'incomplete', 'failed'];

interface End {
  /** The object that the stream begins with. */
  readonly beginning: ResponseSeen;
  readonly last: ResponseEvent | undefined;
  readonly error: ResponseEvent | undefined;
}

function checkEnd(items: readonly ItemSeen[], response: ResponseSeen, { beginning, last, error }: End): void {
  expect(terminal.map((status) => `response.${status}`)).toContain(last?.type);
  expect(last?.type).toBe(`response.${response.status}`);
  const { id, model, created_at, ...head } = beginning;
  expect(response).toMatchObject({ id, model, created_at });
  expect(Object.keys(response), 'no key is gone at the end').toEqual(
    expect.arrayContaining(Object.keys(head)),
  );
  expect(error !== undefined, 'a stream has an error exactly when it failed').toBe(
    response.status === 'failed',
  );
  expect(response.error === null).toBe(error === undefined);
  expect(response.completed_at !== null).toBe(response.status === 'completed');
  expect(response.incomplete_details !== null).toBe(response.status === 'incomplete');
  if (error) {
    const broken = items.map((seen) => (seen.isDone ? seen.item : { ...folded(seen), ...endOf(seen) }));
    expect(response.output, 'the output so far').toEqual(broken);
    return;
  }
  expect(items.filter(({ isDone }) => !isDone)).toEqual([]);
  expect(response.output, 'the last object is the folded stream').toEqual(items.map(({ item }) => item));
}

/** The state of an item that was open when the stream broke off. */
function endOf({ item: { type } }: ItemSeen): object {
  if (type === 'reasoning') return {};
  return { status: type === 'web_search_call' ? 'failed' : 'incomplete' };
}

/** What the schema document calls the events. */
const eventSchemas: Readonly<Record<string, string>> = {
  error: 'ResponseErrorEvent',
  'response.created': 'ResponseCreatedEvent',
  'response.in_progress': 'ResponseInProgressEvent',
  'response.completed': 'ResponseCompletedEvent',
  'response.incomplete': 'ResponseIncompleteEvent',
  'response.failed': 'ResponseFailedEvent',
  'response.output_item.added': 'ResponseOutputItemAddedEvent',
  'response.output_item.done': 'ResponseOutputItemDoneEvent',
  'response.content_part.added': 'ResponseContentPartAddedEvent',
  'response.content_part.done': 'ResponseContentPartDoneEvent',
  'response.output_text.delta': 'ResponseTextDeltaEvent',
  'response.output_text.done': 'ResponseTextDoneEvent',
  'response.output_text.annotation.added': 'ResponseOutputTextAnnotationAddedEvent',
  'response.refusal.delta': 'ResponseRefusalDeltaEvent',
  'response.refusal.done': 'ResponseRefusalDoneEvent',
  'response.reasoning_summary_part.added': 'ResponseReasoningSummaryPartAddedEvent',
  'response.reasoning_summary_part.done': 'ResponseReasoningSummaryPartDoneEvent',
  'response.reasoning_summary_text.delta': 'ResponseReasoningSummaryTextDeltaEvent',
  'response.reasoning_summary_text.done': 'ResponseReasoningSummaryTextDoneEvent',
  'response.function_call_arguments.delta': 'ResponseFunctionCallArgumentsDeltaEvent',
  'response.function_call_arguments.done': 'ResponseFunctionCallArgumentsDoneEvent',
  'response.web_search_call.in_progress': 'ResponseWebSearchCallInProgressEvent',
  'response.web_search_call.searching': 'ResponseWebSearchCallSearchingEvent',
  'response.web_search_call.completed': 'ResponseWebSearchCallCompletedEvent',
};

function checkSchema(event: ResponseEvent): void {
  const schema = eventSchemas[event.type];
  if (schema === undefined) throw new Error(`${event.type} is not an event of the grammar.`);
  if (hasOpenAiSchema) expect(openAiSchema(schema)(event), `${event.type} is by the schema`).toEqual([]);
}
