/** The events of one Responses stream, numbered without gaps in the order in which they are told. */
import type { PublicEvent } from '../../../core/endpoint.ts';

export interface EventQueue {
  /** `type` is also the event's name on the wire. */
  tell(type: string, fields: object): void;
  /** Those that were told since the last call. */
  take(): readonly PublicEvent[];
}

export function createEventQueue(): EventQueue {
  let sequence_number = 0;
  let waiting: PublicEvent[] = [];
  return {
    tell(type, fields) {
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
