/**
 * A chat answer is one message. The texts of several are separated by a blank line, and the provider's own searches are left
 * out.
 */
import type { GenerationEvent, UrlCitation } from '../../../core/generation/events.ts';

type NotInChat =
  | 'upstream'
  | 'message'
  | 'web-search'
  | 'web-search-end'
  | 'tool-call-end'
  | 'protocol-item'
  | 'protocol-item-event'
  | 'protocol-item-end'
  | 'protocol-annotation';

export type ChatEvent = Exclude<GenerationEvent, { readonly type: NotInChat }>;

const separator = '\n\n';

/** Gives the next event of the one message, or undefined for what is left out. */
export function oneMessage(): (event: GenerationEvent) => ChatEvent | undefined {
  let hasText = false;
  let isNewMessage = false;
  /** The number of characters that were added. */
  let added = 0;
  return (event) => {
    switch (event.type) {
      case 'message':
        isNewMessage = hasText;
        return undefined;
      case 'upstream':
      case 'web-search':
      case 'web-search-end':
      case 'tool-call-end':
      case 'protocol-item':
      case 'protocol-item-event':
      case 'protocol-item-end':
      case 'protocol-annotation':
        return undefined;
      case 'text':
        hasText = true;
        if (!isNewMessage) return event;
        isNewMessage = false;
        added += separator.length;
        return { ...event, text: separator + event.text };
      case 'annotation':
        return added === 0 ? event : { ...event, annotation: shifted(event.annotation, added) };
      default:
        return event;
    }
  };
}

function shifted({ type, url_citation: cited }: UrlCitation, by: number): UrlCitation {
  const { start_index: start, end_index: end } = cited;
  return { type, url_citation: { ...cited, start_index: start + by, end_index: end + by } };
}
