/** Folds the item events of a Responses stream, and fails the test where an item breaks the grammar of its kind. */
import { expect } from 'vitest';

/** An event, or an object in one. Tests look into them as far as they expect them to be. */
export interface Json {
  readonly [key: string]: unknown;
}

export interface ResponseEvent extends Json {
  readonly type: string;
  readonly sequence_number: number;
}

/** One item, from its events. */
export interface ItemSeen {
  readonly item: Record<string, unknown>;
  /** Parts of a message's content, or of a summary. */
  readonly parts: Record<string, unknown>[];
  isPartOpen: boolean;
  isTextDone: boolean;
  isDone: boolean;
  /** Names of the events so far, without `response.` and what they are of. */
  readonly eventNames: string[];
}

type Step = (seen: ItemSeen, event: ResponseEvent) => void;

/** The items that may be open when another item begins. */
const parallel = ['function_call', 'web_search_call'];

export function onItemAdded(items: ItemSeen[], { output_index, item }: ResponseEvent): void {
  const fresh = item as Record<string, unknown>;
  expect(output_index, 'items count from 0 in order').toBe(items.length);
  const open = items.filter(({ isDone }) => !isDone).map(({ item: { type } }) => type);
  expect(
    open.filter((type) => !parallel.includes(String(type))),
    'message and reasoning are done before the next item',
  ).toEqual([]);
  expect(fresh.id, 'an item has an id').toEqual(expect.stringMatching(/^(msg|rs|fc|ws)_[0-9a-f]{32}o\d+$/));
  expect(items.map((seen) => seen.item.id)).not.toContain(fresh.id);
  expect(fresh).toMatchObject(empty[String(fresh.type)] ?? { type: 'one of those that are written' });
  const parts: ItemSeen['parts'] = [];
  items.push({
    item: { ...fresh },
    parts,
    isPartOpen: false,
    isTextDone: false,
    isDone: false,
    eventNames: [],
  });
}

const empty: Readonly<Record<string, object>> = {
  message: { status: 'in_progress', role: 'assistant', content: [] },
  reasoning: { summary: [] },
  function_call: {
    status: 'in_progress',
    arguments: '',
    name: expect.any(String),
    call_id: expect.any(String),
  },
  web_search_call: { status: 'in_progress', action: { type: 'search' } },
};

export function onItemDone(seen: ItemSeen, event: ResponseEvent): void {
  expect([seen.isDone, seen.isPartOpen], 'an item is done once, after its parts').toEqual([false, false]);
  const done = event.item as Record<string, unknown>;
  const known = folded(seen);
  const { status, encrypted_content, action, ...rest } = done;
  const { status: _status, action: _action, ...others } = known;
  expect(rest, 'a finished item equals its events').toEqual(others);
  if (done.type === 'function_call') expect(seen.eventNames.at(-1)).toBe('function_call_arguments.done');
  if (done.type === 'web_search_call') checkSearch(seen, status);
  if (done.type === 'message' || done.type === 'function_call') {
    expect(['completed', 'incomplete']).toContain(status);
  }
  if (encrypted_content !== undefined) expect(done.type).toBe('reasoning');
  Object.assign(seen.item, done);
  seen.isDone = true;
}

function checkSearch({ eventNames }: ItemSeen, status: unknown): void {
  const end = status === 'completed' ? ['web_search_call.completed'] : [];
  expect(['completed', 'failed']).toContain(status);
  expect(eventNames).toEqual(['web_search_call.in_progress', 'web_search_call.searching', ...end]);
}

/** The item from the events so far. */
export function folded({ item, parts, isDone }: ItemSeen): Record<string, unknown> {
  if (isDone) return item;
  if (item.type === 'message') return { ...item, content: parts };
  return item.type === 'reasoning' ? { ...item, summary: parts } : item;
}

function openPart(indexName: string): Step {
  return (seen, event) => {
    expect(seen.isPartOpen, 'one part is open at a time').toBe(false);
    expect(event[indexName], 'parts count from 0').toBe(seen.parts.length);
    const part = event.part as Record<string, unknown>;
    expect(partsBegin).toContainEqual(part);
    seen.parts.push(structuredClone(part));
    seen.isPartOpen = true;
    seen.isTextDone = false;
  };
}

const partsBegin = [
  { type: 'output_text', text: '', annotations: [], logprobs: [] },
  { type: 'refusal', refusal: '' },
  { type: 'summary_text', text: '' },
];

/** The open part, which the event must be of. */
function partOf(seen: ItemSeen, event: ResponseEvent, indexName: string, type: string) {
  expect([seen.isPartOpen, seen.isTextDone], 'the part is open').toEqual([true, false]);
  expect(event[indexName]).toBe(seen.parts.length - 1);
  const part = seen.parts.at(-1) ?? {};
  expect(part.type).toBe(type);
  return part;
}

function addText(indexName: string, type: string, field: string): Step {
  return (seen, event) => {
    const part = partOf(seen, event, indexName, type);
    part[field] = `${part[field]}${event.delta}`;
    if (type === 'output_text') part.logprobs = [...asList(part.logprobs), ...asList(event.logprobs)];
    else expect(event.delta, 'a delta says something').not.toBe('');
  };
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const addAnnotation: Step = (seen, event) => {
  const part = partOf(seen, event, 'content_index', 'output_text');
  const known = asList(part.annotations);
  expect(event.annotation_index, 'annotations count from 0').toBe(known.length);
  const { start_index: from, end_index: to } = event.annotation as { start_index: number; end_index: number };
  expect(0 <= from && from <= to && to <= String(part.text).length, 'it lies within the text').toBe(true);
  part.annotations = [...known, event.annotation];
};

function endText(indexName: string, type: string, field: string): Step {
  return (seen, event) => {
    const part = partOf(seen, event, indexName, type);
    expect(event[field], 'the text is that of its deltas').toBe(part[field]);
    if (type === 'output_text') expect(event.logprobs).toEqual(part.logprobs);
    seen.isTextDone = true;
  };
}

function closePart(indexName: string): Step {
  return (seen, event) => {
    expect([seen.isPartOpen, seen.isTextDone], 'a part is done after its text').toEqual([true, true]);
    expect(event[indexName]).toBe(seen.parts.length - 1);
    expect(event.part).toEqual(seen.parts.at(-1));
    seen.isPartOpen = false;
  };
}

const addArguments: Step = ({ item, eventNames }, { delta }) => {
  expect(eventNames, 'no arguments after their end').not.toContain('function_call_arguments.done');
  expect(delta).not.toBe('');
  item.arguments = `${item.arguments}${delta}`;
};

const endArguments: Step = ({ item, eventNames }, event) => {
  expect(eventNames, 'arguments end once').not.toContain('function_call_arguments.done');
  expect([event.arguments, event.name]).toEqual([item.arguments, item.name]);
};

const search: Step = () => undefined;

interface Grammar {
  readonly of: string;
  readonly step: Step;
}

/** All events of single items, by their names without `response.`. */
export const itemGrammar: Readonly<Record<string, Grammar>> = {
  'content_part.added': { of: 'message', step: openPart('content_index') },
  'output_text.delta': { of: 'message', step: addText('content_index', 'output_text', 'text') },
  'output_text.annotation.added': { of: 'message', step: addAnnotation },
  'output_text.done': { of: 'message', step: endText('content_index', 'output_text', 'text') },
  'refusal.delta': { of: 'message', step: addText('content_index', 'refusal', 'refusal') },
  'refusal.done': { of: 'message', step: endText('content_index', 'refusal', 'refusal') },
  'content_part.done': { of: 'message', step: closePart('content_index') },
  'reasoning_summary_part.added': { of: 'reasoning', step: openPart('summary_index') },
  'reasoning_summary_text.delta': { of: 'reasoning', step: addText('summary_index', 'summary_text', 'text') },
  'reasoning_summary_text.done': { of: 'reasoning', step: endText('summary_index', 'summary_text', 'text') },
  'reasoning_summary_part.done': { of: 'reasoning', step: closePart('summary_index') },
  'function_call_arguments.delta': { of: 'function_call', step: addArguments },
  'function_call_arguments.done': { of: 'function_call', step: endArguments },
  'web_search_call.in_progress': { of: 'web_search_call', step: search },
  'web_search_call.searching': { of: 'web_search_call', step: search },
  'web_search_call.completed': { of: 'web_search_call', step: search },
};
