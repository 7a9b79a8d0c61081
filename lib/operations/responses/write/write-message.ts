/** Writes a message item, part by part. */
import type { TokenLogprob, UrlCitation } from '../../../core/generation/events.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { ItemStatus, OutputMessage } from '../read/items.ts';
import type { Ending, ItemWriter, Slot } from './write-item.ts';
import { openRefusal, openText, type RefusalWriter, type TextWriter } from './write-part.ts';

export interface MessageWriter extends ItemWriter {
  /** `start`: the length of the answer's text before this text. */
  text(text: string, start: number, tokens: readonly TokenLogprob[]): void;
  refusal(text: string): void;
  annotation(annotation: UrlCitation, start: number): void;
  /** Another annotation, as it is. */
  note(annotation: JsonObject, start: number): void;
  close(ending: Ending): void;
}

export function openMessage(slot: Slot, phase: string | undefined): MessageWriter {
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
    text: (text, start, tokens) => textPart(start).add(text, tokens),
    refusal: (text) => refusalPart().add(text),
    annotation: (annotation, start) => textPart(start).annotate(annotation),
    note: (annotation, start) => textPart(start).note(annotation),
    close(ending) {
      parts.at(-1)?.close();
      status = ending;
      slot.done(item());
    },
  };
}
