/** Writes a reasoning item: readable text in summary parts, and the details for the model in `encrypted_content`. */
import type { ReasoningDetail } from '../../../core/generation/request.ts';
import type { ReasoningItem, SummaryText } from '../read/items.ts';
import { encodeReasoning } from './encrypted-content.ts';
import type { ItemWriter, Slot } from './write-item.ts';

export interface ReasoningWriter extends ItemWriter {
  text(text: string): void;
  /** A detail with text ends the summary part of that text. */
  detail(detail: ReasoningDetail): void;
  close(): void;
}

export function openReasoning(slot: Slot): ReasoningWriter {
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
    text(delta) {
      if (open === undefined) emit('reasoning_summary_part.added', { part: writePart('') });
      open = (open ?? '') + delta;
      emit('reasoning_summary_text.delta', { delta });
    },
    detail(detail) {
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
