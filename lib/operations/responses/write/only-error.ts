/** The end of a stream of events whose response has not begun, or is not known. */
import type { PublicEvent } from '../../../core/endpoint.ts';
import type { GatewayError } from '../../../core/errors/errors.ts';

export const onlyError = (error: GatewayError): readonly PublicEvent[] => errorAt(error, 0);

export const errorAt = (
  { code, message, param }: GatewayError,
  sequence_number: number,
): readonly PublicEvent[] => [
  { event: 'error', data: { type: 'error', sequence_number, code, message, param } },
];
