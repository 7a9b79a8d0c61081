/** `GET /admin/v1/session`: who is signed in, or how to sign in. */
import { type Nothing, nothing, type OpenEndpoint } from '../../core/admin/admin-endpoint.ts';
import { answer, noSession, signedIn } from './answer.ts';
import type { FindSession } from './find-session.ts';
import type { SessionParts } from './parts.ts';

export const showEndpoint = (
  parts: SessionParts & { readonly findSession: FindSession },
): OpenEndpoint<Nothing, Nothing> => ({
  parameters: nothing,
  body: nothing,
  async answer(call) {
    const session = await parts.findSession(call.shown);
    return answer(session ? signedIn(parts, call, session) : noSession(parts));
  },
});
