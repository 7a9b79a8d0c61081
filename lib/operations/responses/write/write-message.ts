/** Writes a message item, part by part. */
import type { TokenLogprob, UrlCitation } from '../../../core/generation/events.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { ItemStatus, OutputMessage, OutputText, Refusal, UrlCitationAnnotation } from '../read/item.ts';
import type { Ending, Slot } from './write-item.ts';

export type MessageWriter = ReturnType<typeof openMessage>;

export function openMessage(slot: Slot, phase: string | undefined) {
  let status: ItemStatus = 'in_progress';
  const parts: (TextWriter | RefusalWriter)[] = [];
  const item = (): OutputMessage => ({
    id: slot.id,
    type: 'message',
    status,
    role: 'assistant',
    content: parts.map((part) => part.part()),
    ...(phase !== undefined && { phase }),
  });
  const next = <Part extends TextWriter | RefusalWriter>(open: (index: number) => Part): Part => {
    parts.at(-1)?.close();
    const part = open(parts.length);
    parts.push(part);
    return part;
  };
  const textPart = (start: number): TextWriter => {
    const last = parts.at(-1);
    return last?.type === 'output_text' ? last : next((index) => openText(slot, index, start));
  };
  const refusalPart = (): RefusalWriter => {
    const last = parts.at(-1);
    return last?.type === 'refusal' ? last : next((index) => openRefusal(slot, index));
  };
  slot.added(item());
  return {
    item,
    /** `start`: the length of the answer's text before this text. */
    text: (text: string, start: number, tokens: readonly TokenLogprob[]) => textPart(start).add(text, tokens),
    refusal: (text: string) => refusalPart().add(text),
    annotation: (annotation: UrlCitation, start: number) => textPart(start).annotate(annotation),
    /** Another annotation, as it is. */
    note: (annotation: JsonObject, start: number) => textPart(start).note(annotation),
    close(ending: Ending) {
      parts.at(-1)?.close();
      status = ending;
      slot.done(item());
    },
  };
}

interface TextWriter {
  readonly type: 'output_text';
  part(): OutputText;
  add(text: string, tokens: readonly TokenLogprob[]): void;
  annotate(citation: UrlCitation): void;
  /** Another annotation, as it is. */
  note(annotation: JsonObject): void;
  close(): void;
}

interface RefusalWriter {
  readonly type: 'refusal';
  part(): Refusal;
  add(text: string): void;
  close(): void;
}

/** `start`: the length of the answer's text before this part. */
function openText(slot: Slot, content_index: number, start: number): TextWriter {
  let text = '';
  const annotations: (UrlCitationAnnotation | JsonObject)[] = [];
  const logprobs: object[] = [];
  const part = (): OutputText => ({
    type: 'output_text',
    text,
    annotations: [...annotations],
    logprobs: [...logprobs],
  });
  const note = (annotation: UrlCitationAnnotation | JsonObject) => {
    const annotation_index = annotations.length;
    annotations.push(annotation);
    slot.emit('output_text.annotation.added', { content_index, annotation_index, annotation });
  };
  const emitDelta = slot.deltas('output_text.delta', { content_index });
  slot.emit('content_part.added', { content_index, part: part() });
  return {
    type: 'output_text',
    part,
    add(delta, tokens) {
      const written = tokens.map(writeLogprob);
      text += delta;
      for (const token of written) logprobs.push(token);
      emitDelta({ delta, logprobs: written });
    },
    annotate: (citation) => note(writeCitation(citation, start, text.length)),
    note,
    close() {
      slot.emit('output_text.done', { content_index, text, logprobs: [...logprobs] });
      slot.emit('content_part.done', { content_index, part: part() });
    },
  };
}

function openRefusal(slot: Slot, content_index: number): RefusalWriter {
  let refusal = '';
  const part = (): Refusal => ({ type: 'refusal', refusal });
  slot.emit('content_part.added', { content_index, part: part() });
  return {
    type: 'refusal',
    part,
    add(delta) {
      refusal += delta;
      slot.emit('refusal.delta', { content_index, delta });
    },
    close() {
      slot.emit('refusal.done', { content_index, refusal });
      slot.emit('content_part.done', { content_index, part: part() });
    },
  };
}

/** A citation of text before this part points to the start of the part. */
function writeCitation({ url_citation }: UrlCitation, start: number, length: number): UrlCitationAnnotation {
  const within = (offset: number) => Math.min(Math.max(offset - start, 0), length);
  const { url, title, start_index, end_index } = url_citation;
  return {
    type: 'url_citation',
    url,
    title,
    start_index: within(start_index),
    end_index: within(end_index),
  };
}

/** The schema of the Responses API does not allow `bytes` to be null. */
function writeLogprob({ token, logprob, bytes, top_logprobs }: TokenLogprob): object {
  const written = { token, logprob, bytes: bytes ?? bytesOf(token) };
  const others = top_logprobs.map((other) => ({ ...other, bytes: other.bytes ?? bytesOf(other.token) }));
  return { ...written, top_logprobs: others };
}

const bytesOf = (token: string): readonly number[] => [...new TextEncoder().encode(token)];
