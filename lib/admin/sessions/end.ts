/**
 * `DELETE /admin/v1/session`: signs out. The session's token, or the refresh token, is worth nothing afterwards. The issuer has a session
 * of its own with the browser, which ends at `sign_out_url`.
 */
import { type Nothing, nothing, type OpenEndpoint } from '../../core/admin/admin-endpoint.ts';
import { refreshCookie, sessionCookie } from '../../core/admin/session-cookie.ts';
import { answer, noSession } from './answer.ts';
import { sessionTokenOf } from './find-session.ts';
import type { SessionParts } from './parts.ts';

export const endEndpoint = (parts: SessionParts): OpenEndpoint<Nothing, Nothing> => ({
  parameters: nothing,
  body: nothing,
  async answer({ shown, header }) {
    const { oidc } = parts;
    const token = sessionTokenOf(shown);
    if (token !== undefined) await parts.sessions.end(token);
    const cookies = [sessionCookie.remove(shown.isSecure)];
    const refreshToken = oidc && refreshCookie.read(header('cookie'), oidc.isSecure);
    if (!oidc || !refreshToken) return answer(noSession(parts), cookies);
    await oidc.end(refreshToken);
    const url = await oidc.signOutUrl();
    const body = { ...noSession(parts), ...(url !== undefined && { sign_out_url: url }) };
    return answer(body, [...cookies, refreshCookie.remove(oidc.isSecure)]);
  },
});
