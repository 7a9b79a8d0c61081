/** Writes a response as the events of a stream, each item from its finished form. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { namedEvent } from '../exchange.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';
import { argumentPieces, piecesOf } from '../script.ts';
import type { Draft } from './background.ts';

interface StreamOptions {
  /** Whether deltas are padded, so that their length reveals nothing. */
  readonly obfuscates: boolean;
  /** Whether a search is reported step by step. */
  readonly tellsSearch: boolean;
}

export const writeStream = (...written: Parameters<typeof streamEvents>): readonly string[] =>
  numbered([{ type: 'response.created', response: written[0] }, ...streamEvents(...written)]);

/**
 * All events but the first one. `first` and `last` are the response at its beginning and at its end, between them its finished items
 * are written.
 */
export function streamEvents(
  first: JsonObject,
  output: readonly JsonObject[],
  last: JsonObject,
  { obfuscates, tellsSearch }: StreamOptions,
): readonly Draft[] {
  const items = output.flatMap((item, index) => itemEvents(item, index, tellsSearch));
  return [
    { type: 'response.in_progress', response: first },
    ...(obfuscates ? items.map(obfuscate) : items),
    { type: `response.${textOf(last.status)}`, response: last },
  ];
}

/** A failure after the beginning: reported inside the stream, by an event of its own and by the response. */
export function writeFailedStream(
  first: JsonObject,
  failed: JsonObject,
  error: JsonObject,
): readonly string[] {
  return numbered([
    { type: 'response.created', response: first },
    { type: 'response.in_progress', response: first },
    { type: 'error', error },
    { type: 'response.failed', response: failed },
  ]);
}

function numbered(events: readonly Draft[]): readonly string[] {
  return events.map(({ type, ...event }, sequence_number) =>
    namedEvent(type, { type, sequence_number, ...event }),
  );
}

function obfuscate(event: Draft): Draft {
  return event.type.endsWith('.delta') ? { ...event, obfuscation: randomUUID().slice(0, 8) } : event;
}

function itemEvents(item: JsonObject, output_index: number, tellsSearch: boolean): readonly Draft[] {
  const at = { item_id: item.id, output_index };
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, ...begun(item, tellsSearch) } },
    ...innerEvents(item, at, tellsSearch),
    { type: 'response.output_item.done', output_index, item },
  ];
}

/** What an item does not yet have when it begins. */
function begun({ type }: JsonObject, tellsSearch: boolean): JsonObject {
  switch (type) {
    case 'reasoning':
      return { summary: [] };
    case 'message':
      return { status: 'in_progress', content: [] };
    case 'function_call':
      return { status: 'in_progress', arguments: '' };
    case 'custom_tool_call':
      return { status: 'in_progress', input: '' };
    default:
      return tellsSearch ? { status: 'in_progress', action: undefined } : {};
  }
}

function innerEvents(item: JsonObject, at: JsonObject, tellsSearch: boolean): readonly Draft[] {
  switch (item.type) {
    case 'reasoning':
      return objectsOf(item.summary).flatMap((part, index) =>
        summaryEvents(part, { ...at, summary_index: index }),
      );
    case 'message':
      return objectsOf(item.content).flatMap((part, index) =>
        textEvents(part, { ...at, content_index: index }),
      );
    case 'function_call':
      return callEvents(item, at);
    case 'custom_tool_call':
      return inputEvents(item, at);
    default:
      return tellsSearch
        ? searchSteps.map((step) => ({ type: `response.web_search_call.${step}`, ...at }))
        : [];
  }
}

function inputEvents({ input }: JsonObject, at: JsonObject): readonly Draft[] {
  const name = 'response.custom_tool_call_input';
  return [
    ...argumentPieces(textOf(input)).map((delta) => ({ type: `${name}.delta`, ...at, delta })),
    { type: `${name}.done`, ...at, input },
  ];
}

const searchSteps = ['in_progress', 'searching', 'completed'];

function summaryEvents(part: JsonObject, at: JsonObject): readonly Draft[] {
  const text = textOf(part.text);
  const name = 'response.reasoning_summary';
  return [
    { type: `${name}_part.added`, ...at, part: { ...part, text: '' } },
    ...piecesOf(text).map((delta) => ({ type: `${name}_text.delta`, ...at, delta })),
    { type: `${name}_text.done`, ...at, text },
    { type: `${name}_part.done`, ...at, part },
  ];
}

/** A citation is written as soon as the text that it belongs to is complete. */
function textEvents(part: JsonObject, at: JsonObject): readonly Draft[] {
  const text = textOf(part.text);
  const logprobs = objectsOf(part.logprobs);
  const annotations = objectsOf(part.annotations).map((annotation, annotation_index) => ({
    type: 'response.output_text.annotation.added',
    ...at,
    annotation_index,
    annotation,
  }));
  const events: Draft[] = [];
  let said = 0;
  for (const [index, delta] of piecesOf(text).entries()) {
    said += delta.length;
    const own = logprobs.slice(index, index + 1);
    events.push({ type: 'response.output_text.delta', ...at, delta, logprobs: own });
    while (Number(annotations[0]?.annotation.end_index) <= said) events.push(...annotations.splice(0, 1));
  }
  return [
    {
      type: 'response.content_part.added',
      ...at,
      part: { ...part, annotations: [], logprobs: [], text: '' },
    },
    ...events,
    ...annotations,
    { type: 'response.output_text.done', ...at, text, logprobs },
    { type: 'response.content_part.done', ...at, part },
  ];
}

function callEvents(item: JsonObject, at: JsonObject): readonly Draft[] {
  const text = textOf(item.arguments);
  const pieces = argumentPieces(objectOf(JSON.parse(text)));
  return [
    ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, arguments: text },
  ];
}
