/**
 * Writes the output of a response: which items the events of an answer open, and when these are closed. Only one message
 * or reasoning item is open at a time. Calls with interleaved arguments, and searches, may be open beside it.
 */
import type { GenerationEvent, TokenLogprob } from '../../../core/generation/events.ts';
import type { ReasoningDetail } from '../../../core/generation/request.ts';
import type { OutputItem } from '../read/item.ts';
import { type ItemType, itemId, protocolItemId } from './ids.ts';
import type { EventQueue } from './response-object.ts';
import type { Ending, ItemWriter, Slot } from './write-item.ts';
import {
  type CallWriter,
  openCall,
  openProtocolItem,
  openReasoning,
  openSearch,
  type ProtocolItemWriter,
  type ReasoningWriter,
  type SearchWriter,
} from './write-item.ts';
import { type MessageWriter, openMessage } from './write-message.ts';

export type OutputEvent = Exclude<GenerationEvent, { type: 'start' | 'finish' | 'usage' }>;

interface OutputOptions {
  /** True: a text without a character is a message, too. */
  readonly keepsEmptyText?: boolean | undefined;
  readonly responseId: string;
  readonly queue: EventQueue;
  /** The item without fields that the caller did not ask to include. */
  readonly shown: (item: OutputItem) => object;
}

interface State extends OutputOptions {
  readonly written: ItemWriter[];
  message: MessageWriter | undefined;
  reasoning: ReasoningWriter | undefined;
  /** Open calls, by their number in the events. */
  readonly calls: Map<number, CallWriter>;
  /** Those that may have become complete since it was last asked. */
  readonly changed: Set<number>;
  readonly searches: Map<number, SearchWriter>;
  readonly protocolItems: Map<number, ProtocolItemWriter>;
  /** The phase of the next message. */
  phase: string | undefined;
  /** The length of the answer's text so far. */
  textLength: number;
  /** Details received while a message was open: some providers sign their text. */
  heldDetails: ReasoningDetail[];
  /** Log probabilities received before their text. */
  heldTokens: TokenLogprob[];
}

export function createOutput(options: OutputOptions) {
  const state: State = {
    ...options,
    written: [],
    message: undefined,
    reasoning: undefined,
    calls: new Map(),
    changed: new Set(),
    searches: new Map(),
    protocolItems: new Map(),
    phase: undefined,
    textLength: 0,
    heldDetails: [],
    heldTokens: [],
  };
  return {
    // A response has only one choice.
    write(event: OutputEvent) {
      if (event.choice === 0) onEvent(state, event);
    },
    close(ending: Ending) {
      closeMessage(state, ending);
      closeReasoning(state);
      for (const call of state.calls.values()) call.close(call.isComplete() ? 'completed' : ending);
      for (const search of state.searches.values()) search.end('failed');
    },
    /** The items as written so far. */
    items: () => state.written.map((writer) => writer.item()),
  };
}

function onEvent(state: State, event: OutputEvent): void {
  switch (event.type) {
    case 'message':
      closeMessage(state);
      state.phase = event.phase;
      break;
    case 'text':
      onText(state, event.text);
      break;
    case 'refusal':
      if (event.text !== '') messageOf(state).refusal(event.text);
      break;
    case 'annotation':
      messageOf(state).annotation(event.annotation, state.textLength);
      break;
    case 'logprobs':
      onLogprobs(state, event.content);
      break;
    case 'reasoning':
      if (event.text !== '') reasoningOf(state).text(event.text);
      break;
    case 'reasoning-detail':
      if (state.message) state.heldDetails.push(event.detail);
      else reasoningOf(state).detail(event.detail);
      break;
    case 'tool-call':
      onCall(state, event);
      break;
    case 'tool-arguments':
      if (event.text !== '') state.calls.get(event.call)?.add(event.text);
      state.changed.add(event.call);
      break;
    case 'tool-call-end':
      state.calls.get(event.call)?.end();
      state.changed.add(event.call);
      break;
    case 'protocol-item':
      onProtocolItem(state, event);
      break;
    case 'protocol-item-event':
      state.protocolItems.get(event.item)?.pass(event.body);
      break;
    case 'protocol-item-end':
      state.protocolItems.get(event.item)?.end(event.body);
      state.protocolItems.delete(event.item);
      break;
    case 'protocol-annotation':
      messageOf(state).note(event.annotation, state.textLength);
      break;
    case 'web-search':
      searchOf(state, event.search);
      break;
    case 'web-search-end':
      searchOf(state, event.search).end(event.status, event.action);
      state.searches.delete(event.search);
      break;
  }
}

function onText(state: State, text: string): void {
  if (text === '' && !state.keepsEmptyText) return;
  messageOf(state).text(text, state.textLength, state.heldTokens);
  state.heldTokens = [];
  state.textLength += text.length;
}

function onLogprobs(state: State, tokens: readonly TokenLogprob[]): void {
  if (tokens.length === 0) return;
  if (state.message) state.message.text('', state.textLength, tokens);
  else for (const token of tokens) state.heldTokens.push(token);
}

function onCall(state: State, { call, id, ...tool }: OutputEvent & { type: 'tool-call' }): void {
  closeFinishedItems(state);
  const type = tool.kind === 'custom' ? 'custom_tool_call' : 'function_call';
  state.calls.set(
    call,
    opened(state, idOf(type), (slot) => openCall(slot, id, tool)),
  );
}

function onProtocolItem(state: State, { item, body }: OutputEvent & { type: 'protocol-item' }): void {
  closeFinishedItems(state);
  const newId: NewId = (responseId, index) => protocolItemId(responseId, body.id, index);
  state.protocolItems.set(
    item,
    opened(state, newId, (slot) => openProtocolItem(slot, body)),
  );
}

function messageOf(state: State): MessageWriter {
  if (state.message) return state.message;
  closeFinishedItems(state);
  const { phase } = state;
  state.phase = undefined;
  state.message = opened(state, idOf('message'), (slot) => openMessage(slot, phase));
  return state.message;
}

function reasoningOf(state: State): ReasoningWriter {
  // Closing the message may already open a reasoning item, for the details held back.
  closeMessage(state);
  if (state.reasoning) return state.reasoning;
  closeFinishedItems(state);
  state.reasoning = opened(state, idOf('reasoning'), openReasoning);
  return state.reasoning;
}

function searchOf(state: State, search: number): SearchWriter {
  const known = state.searches.get(search);
  if (known) return known;
  closeFinishedItems(state);
  const writer = opened(state, idOf('web_search_call'), openSearch);
  state.searches.set(search, writer);
  return writer;
}

/** The id of an output item at an index. */
type NewId = (responseId: string, index: number) => string;

const idOf =
  (type: ItemType): NewId =>
  (responseId, index) =>
    itemId(responseId, type, 'output', index);

function opened<Writer extends ItemWriter>(
  { written, responseId, queue, shown }: State,
  newId: NewId,
  open: (slot: Slot) => Writer,
): Writer {
  const output_index = written.length;
  const item_id = newId(responseId, output_index);
  const writer = open({
    id: item_id,
    emit: (event, fields) => queue.emit(`response.${event}`, { item_id, output_index, ...fields }),
    deltas: (event, fields) => queue.deltas(`response.${event}`, { item_id, output_index, ...fields }),
    added: (item) => queue.emit('response.output_item.added', { output_index, item: shown(item) }),
    done: (item) => queue.emit('response.output_item.done', { output_index, item: shown(item) }),
  });
  written.push(writer);
  return writer;
}

/** Called before another item is opened: closes all items except incomplete calls and searches. */
function closeFinishedItems(state: State): void {
  closeMessage(state);
  closeReasoning(state);
  for (const call of state.changed) {
    const writer = state.calls.get(call);
    if (!writer?.isComplete()) continue;
    writer.close('completed');
    state.calls.delete(call);
  }
  state.changed.clear();
}

function closeMessage(state: State, ending: Ending = 'completed'): void {
  if (!state.message) return;
  state.message.close(ending);
  state.message = undefined;
  const details = state.heldDetails;
  state.heldDetails = [];
  for (const detail of details) reasoningOf(state).detail(detail);
}

function closeReasoning(state: State): void {
  state.reasoning?.close();
  state.reasoning = undefined;
}
