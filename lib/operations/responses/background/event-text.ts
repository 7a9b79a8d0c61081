/** The events of a response in the text of its stream, and back: what is read is written again as the same bytes. */
import type { PublicEvent } from '../../../core/endpoint.ts';
import type { JsonObject } from '../../../core/generation/request.ts';

/** An event with its position in the stream. */
export interface NumberedEvent extends PublicEvent {
  readonly event: string;
  readonly data: string;
  readonly sequence: number;
}

/** As `createEventQueue` makes its data: the number is the second member. */
const format = /^event: ([a-z_.]+)\ndata: (\{"type":"[a-z_.]+","sequence_number":(\d+)[,}][^\n]*)$/;

export function eventsOf(text: string): readonly NumberedEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const [, event, data, sequence] = format.exec(block) ?? [];
    return event !== undefined && data !== undefined ? [{ event, data, sequence: Number(sequence) }] : [];
  });
}

export const textOf = ({ event, data }: NumberedEvent): string => `event: ${event}\ndata: ${data}\n\n`;

export const numbered = (event: string, sequence: number, response: JsonObject): NumberedEvent => ({
  event,
  sequence,
  data: JSON.stringify({ type: event, sequence_number: sequence, response }),
});

/** The first events of every response that is created in the background; its worker writes the others. */
export const queuedEvents = (begun: JsonObject): readonly NumberedEvent[] => [
  numbered('response.created', 0, begun),
  numbered('response.queued', 1, begun),
];

/** The number of the worker's first event. */
export const firstOfWorker = 2;

const ends: ReadonlySet<string> = new Set(
  ['completed', 'incomplete', 'failed'].map((status) => `response.${status}`),
);

export const isEnd = ({ event }: NumberedEvent): boolean => ends.has(event);
