/**
 * A stored response as the stream of events that it could have been: the same items, each text in one piece. An item of a
 * kind without events of its own is added and done.
 */
import type { PublicEvent } from '../../../core/endpoint.ts';
import { objectsIn } from '../../../core/formats/json-object.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import { createEventQueue, inProgress } from '../write/response-object.ts';

/** `output`: the items as the caller may see them. */
export function replay(response: JsonObject, output: readonly JsonObject[]): readonly PublicEvent[] {
  const queue = createEventQueue();
  const { usage: _, service_tier: tier, ...rest } = response;
  const begun = { ...rest, ...inProgress, service_tier: tier, output: [], usage: null };
  queue.emit('response.created', { response: begun });
  queue.emit('response.in_progress', { response: begun });
  for (const [output_index, item] of output.entries()) {
    const emit: Emit = (type, fields = {}) =>
      queue.emit(`response.${type}`, { item_id: item.id, output_index, ...fields });
    const { open, write } = kinds[String(item.type)] ?? plain;
    queue.emit('response.output_item.added', { output_index, item: { ...item, ...open } });
    write(item, emit);
    queue.emit('response.output_item.done', { output_index, item });
  }
  queue.emit(`response.${response.status}`, { response: { ...response, output } });
  return queue.take();
}

type Emit = (type: string, fields?: object) => void;

interface ItemKind {
  /** What is different in an item that has just begun. */
  readonly open: JsonObject;
  readonly write: (item: JsonObject, emit: Emit) => void;
}

const plain: ItemKind = { open: {}, write: () => undefined };

/** An item that is one text: its field, and the events of it. */
const oneText = (field: string, event: string, repeated: readonly string[] = []): ItemKind => ({
  open: { status: 'in_progress', [field]: '' },
  write(item, emit) {
    const names = Object.fromEntries(repeated.map((name) => [name, item[name]]));
    emit(`${event}.delta`, { delta: item[field] });
    emit(`${event}.done`, { ...names, [field]: item[field] });
  },
});

const kinds: Readonly<Record<string, ItemKind>> = {
  message: { open: { status: 'in_progress', content: [] }, write: writeParts },
  function_call: oneText('arguments', 'function_call_arguments', ['name']),
  custom_tool_call: oneText('input', 'custom_tool_call_input'),
  // What goes back to the model is complete only at the end.
  reasoning: { open: { summary: [], encrypted_content: undefined }, write: writeSummary },
  web_search_call: {
    open: { status: 'in_progress' },
    write(item, emit) {
      emit('web_search_call.in_progress');
      emit('web_search_call.searching');
      if (item.status === 'completed') emit('web_search_call.completed');
    },
  },
};

function writeParts({ content }: JsonObject, emit: Emit): void {
  for (const [content_index, part] of objectsIn(content).entries()) {
    if (part.type === 'refusal') {
      const { refusal } = part;
      emit('content_part.added', { content_index, part: { ...part, refusal: '' } });
      emit('refusal.delta', { content_index, delta: refusal });
      emit('refusal.done', { content_index, refusal });
    } else {
      const { text, logprobs = [], annotations } = part;
      emit('content_part.added', {
        content_index,
        part: { ...part, text: '', annotations: [], logprobs: [] },
      });
      emit('output_text.delta', { content_index, delta: text, logprobs });
      for (const [annotation_index, annotation] of objectsIn(annotations).entries()) {
        emit('output_text.annotation.added', { content_index, annotation_index, annotation });
      }
      emit('output_text.done', { content_index, text, logprobs });
    }
    emit('content_part.done', { content_index, part });
  }
}

function writeSummary({ summary }: JsonObject, emit: Emit): void {
  for (const [summary_index, part] of objectsIn(summary).entries()) {
    const { text } = part;
    emit('reasoning_summary_part.added', { summary_index, part: { ...part, text: '' } });
    emit('reasoning_summary_text.delta', { summary_index, delta: text });
    emit('reasoning_summary_text.done', { summary_index, text });
    emit('reasoning_summary_part.done', { summary_index, part });
  }
}
