/**
 * `reasoning.exclude`: the answer without its reasoning. With tools, what the provider needs back to go on after a call stays:
 * signed and encrypted pieces, which cannot be had again.
 */
import type { Piped } from '../../../async/pipe.ts';
import type { GenerationEvent } from '../../../core/generation/events.ts';

export function hideReasoning(events: Piped<GenerationEvent>, hasTools: boolean): Piped<GenerationEvent> {
  const isShown = (event: GenerationEvent): boolean => {
    if (event.type === 'reasoning') return false;
    return event.type !== 'reasoning-detail' || (hasTools && mustReturn(event.detail));
  };
  return events.pipe<GenerationEvent>({
    each(list, out) {
      for (const event of list) if (isShown(event)) out.push(event);
    },
  });
}

type Detail = Extract<GenerationEvent, { type: 'reasoning-detail' }>['detail'];

const mustReturn = (detail: Detail): boolean =>
  detail.type === 'reasoning.encrypted' ||
  (detail.type === 'reasoning.text' && detail.signature !== undefined);
