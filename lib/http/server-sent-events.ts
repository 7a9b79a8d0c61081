/** Writes server-sent events. */
import type { PublicEvent } from '../core/endpoint.ts';

/** A comment, which clients ignore. It keeps idle connections open. */
export const ping = ': ping\n\n';

export function writeEvent({ event, data }: PublicEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return event === undefined ? `data: ${text}\n\n` : `event: ${event}\ndata: ${text}\n\n`;
}

export function writeEvents(events: readonly PublicEvent[]): string {
  let text = '';
  for (const event of events) text += writeEvent(event);
  return text;
}
