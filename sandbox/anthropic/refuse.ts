/** The error answers of the Anthropic protocol. */
import { newId, Refusal } from '../exchange.ts';

export function refuse(message: string, status = 400, type = 'invalid_request_error'): never {
  const request_id = newId('req_');
  throw new Refusal(
    status,
    { type: 'error', error: { type, message }, request_id },
    { 'request-id': request_id },
  );
}
