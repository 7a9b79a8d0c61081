/** The end of a stream of the Messages operation that failed. */
import type { PublicEvent } from '../../../core/endpoint.ts';
import { toAnthropicBody } from '../../../core/errors/anthropic-error.ts';
import type { GatewayError } from '../../../core/errors/errors.ts';

export const writeMessagesError = (error: GatewayError, requestId: string): readonly PublicEvent[] => [
  { event: 'error', data: toAnthropicBody(error, requestId) },
];
