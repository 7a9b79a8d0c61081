/** The texts of an answer, by its events: which of them continue each other, and which stand for themselves. */
import type { GenerationEvent } from '../../core/generation/events.ts';
import { textOfDetail } from './texts.ts';
import { type ChangeText, walkJson } from './walk-json.ts';

/** A piece of a text that comes in pieces. */
export interface Piece {
  /** Pieces of one channel are one text. */
  readonly channel: string;
  readonly text: string;
  /** Arguments of a call: they are read as a whole, with their escapes as what they stand for. */
  readonly isJson?: true;
}

/** Undefined for an event that has none. */
export function pieceOf(event: GenerationEvent): Piece | undefined {
  switch (event.type) {
    case 'text':
    case 'refusal':
      return { channel: 'text', text: event.text };
    case 'reasoning':
      return { channel: 'reasoning', text: event.text };
    case 'tool-arguments':
      return { channel: `call ${event.call}`, text: event.text, isJson: true };
    default:
      return undefined;
  }
}

export function withText(event: GenerationEvent, text: string): GenerationEvent {
  return 'text' in event ? { ...event, text } : event;
}

/** The event with its other texts changed; the same one where none changes, undefined for one that cannot be. */
export function withTexts(event: GenerationEvent, change: ChangeText): GenerationEvent | undefined {
  switch (event.type) {
    case 'protocol-item':
    case 'protocol-item-event':
    case 'protocol-item-end': {
      const body = walkJson(event.body, '', change) as typeof event.body;
      return body === event.body ? event : { ...event, body };
    }
    case 'web-search-end': {
      const action = walkJson(event.action, '', change) as typeof event.action;
      return action === event.action ? event : { ...event, action };
    }
    case 'annotation':
    case 'protocol-annotation': {
      const changed = walkJson(event.annotation, '', change);
      return changed === event.annotation ? event : ({ ...event, annotation: changed } as GenerationEvent);
    }
    case 'reasoning-detail': {
      const text = textOfDetail(event.detail);
      // It is signed.
      return text === '' || change(text, '') === text ? event : undefined;
    }
    default:
      return event;
  }
}
