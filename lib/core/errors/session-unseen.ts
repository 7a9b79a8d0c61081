/** The refusal of a realtime session, which goes from its client to the provider. */
import { GatewayError } from './errors.ts';

/** `problem` and `promise`: what follows from it, and for whom, in the middle of a sentence. */
export const sessionUnseen = (problem: string, promise: string): GatewayError =>
  new GatewayError(
    'permission_denied',
    `The gateway does not see a realtime session, so ${problem}. Use an API key without ${promise}.`,
    { code: 'session_unseen' },
  );
