/** The end of a stream of events before the response has begun. */
import type { PublicEvent } from '../../../core/endpoint.ts';
import type { GatewayError } from '../../../core/errors/errors.ts';

export const onlyError = ({ code, message, param }: GatewayError): readonly PublicEvent[] => [
  { event: 'error', data: { type: 'error', sequence_number: 0, code, message, param } },
];
