/**
 * `POST /admin/v1/session`: the session of a cookie, or a new one by an API key. That one may read what the key's tenant has used;
 * the key's own limits, and a suspension of the tenant, do not matter to it.
 */
import {
  type AdminAnswer,
  type Nothing,
  nothing,
  type OpenCall,
  type OpenEndpoint,
} from '../../core/admin/admin-endpoint.ts';
import { refreshCookie, sessionCookie } from '../../core/admin/session-cookie.ts';
import { signedOut } from '../../core/admin/signed-out.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { sessionSeconds } from '../../stores/sessions/sessions.ts';
import { cookieValueOf } from '../sign-in/refresh-token.ts';
import { answer, signedIn } from './answer.ts';
import { type FindSession, maySignIn } from './find-session.ts';
import type { SessionParts } from './parts.ts';
import { openBody } from './schema.ts';

export const openEndpoint = (parts: Parts): OpenEndpoint<Nothing, typeof openBody> => ({
  parameters: nothing,
  body: openBody,
  async answer(call) {
    const secret = call.body.api_key;
    if (secret === undefined) return await openKnown(parts, call);
    const key = await parts.findApiKey(secret.trim());
    if (!key) {
      const message = 'Invalid API key: it is mistyped, unknown, disabled or expired.';
      throw new GatewayError('invalid_api_key', message, { param: 'api_key' });
    }
    if (!maySignIn(key.keyPolicy)) throw withoutUsage();
    const user: User = {
      id: key.id,
      name: key.id,
      role: 'viewer',
      tenant: key.tenant,
      via: 'key',
      keyId: key.id,
    };
    const { token, ...session } = await parts.sessions.open(user, key.hash);
    const cookie = sessionCookie.set(token, sessionSeconds, call.shown.isSecure);
    return answer(signedIn(parts, call, session), [cookie]);
  },
});

const withoutUsage = () =>
  new GatewayError(
    'permission_denied',
    'This API key has no permission to read usage: sign in with another.',
    {
      code: 'operation_not_allowed',
      param: 'api_key',
    },
  );

type Parts = SessionParts & { readonly findSession: FindSession };

/** By our own cookie, or by the refresh token of the issuer: then the dashboard gets a short ID token, and the cookie the next refresh token. */
async function openKnown(parts: Parts, call: OpenCall<object, object>): Promise<AdminAnswer> {
  const session = await parts.findSession(call.shown);
  if (session) return answer(signedIn(parts, call, session));
  const { oidc } = parts;
  const refreshToken = oidc && refreshCookie.read(call.header('cookie'), oidc.isSecure);
  if (!oidc || !refreshToken) throw signedOut('There is no session, or it has ended.');
  const { idToken, refreshToken: next = refreshToken, ...found } = await oidc.refresh(refreshToken);
  const cookie = refreshCookie.set(cookieValueOf(next), sessionSeconds, oidc.isSecure);
  return answer(signedIn(parts, call, found, idToken), [cookie]);
}
