/** A reasoning item as it is written: what can be read of it in summary parts, and what goes back to the model, sealed. */
import type { ReasoningDetail } from '../../../core/generation/request.ts';
import type { ReasoningItem, SummaryText } from '../read/items.ts';
import { seal } from './encrypted-content.ts';
import type { ItemWriter, Slot } from './write-item.ts';

export interface ReasoningWriter extends ItemWriter {
  text(text: string): void;
  /** A detail with a text of its own ends the part that told this text. */
  detail(detail: ReasoningDetail): void;
  close(): void;
}

export function openReasoning(slot: Slot): ReasoningWriter {
  const texts: string[] = [];
  const details: ReasoningDetail[] = [];
  let open: string | undefined;
  const item = (): ReasoningItem => {
    const all = open === undefined ? texts : [...texts, open];
    const sealed = details.length > 0 && { encrypted_content: seal(details) };
    return { id: slot.id, type: 'reasoning', summary: all.map(writePart), ...sealed };
  };
  const tell = (type: string, fields: object) => slot.tell(type, { summary_index: texts.length, ...fields });
  const closePart = () => {
    if (open === undefined) return;
    tell('reasoning_summary_text.done', { text: open });
    tell('reasoning_summary_part.done', { part: writePart(open) });
    texts.push(open);
    open = undefined;
  };
  slot.added(item());
  return {
    item,
    text(delta) {
      if (open === undefined) tell('reasoning_summary_part.added', { part: writePart('') });
      open = (open ?? '') + delta;
      tell('reasoning_summary_text.delta', { delta });
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
