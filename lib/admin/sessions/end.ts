/** `DELETE /admin/v1/session`: signs out. The session's token is worth nothing afterwards. */
import { type Nothing, nothing, type OpenEndpoint } from '../../core/admin-endpoint.ts';
import { removeSessionCookie } from '../../core/session-cookie.ts';
import { answer, signedOut } from './answer.ts';
import { sessionTokenOf } from './find-session.ts';
import type { SessionParts } from './parts.ts';

export const endEndpoint = (parts: SessionParts): OpenEndpoint<Nothing, Nothing> => ({
  parameters: nothing,
  body: nothing,
  async answer({ shown }) {
    const token = sessionTokenOf(shown);
    if (token !== undefined) await parts.sessions.end(token);
    return answer(signedOut(parts), [removeSessionCookie(shown.isSecure)]);
  },
});
