/** The events of one Responses stream, numbered without gaps in the order of sending. */
import type { PublicEvent } from '../../../core/endpoint.ts';

export interface EventQueue {
  /** `type` is also the name of the server-sent event. */
  emit(type: string, fields: object): void;
  /** The events emitted since the last call. */
  take(): readonly PublicEvent[];
}

export function createEventQueue(): EventQueue {
  let sequence_number = 0;
  let waiting: PublicEvent[] = [];
  return {
    emit(type, fields) {
      waiting.push({ event: type, data: { type, sequence_number, ...fields } });
      sequence_number += 1;
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
