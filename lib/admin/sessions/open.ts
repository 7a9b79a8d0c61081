/**
 * `POST /admin/v1/session`: the session of the cookie, or a new one by an API key. That one may read what the key's tenant has used;
 * the key's own limits, and a suspension of the tenant, do not matter to it.
 */
import type { Nothing, OpenEndpoint } from '../../core/admin-endpoint.ts';
import { nothing } from '../../core/admin-endpoint.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Person } from '../../core/person.ts';
import { setSessionCookie } from '../../core/session-cookie.ts';
import { sessionHours } from '../../stores/sessions/sessions.ts';
import { answer, signedIn } from './answer.ts';
import type { FindSession } from './find-session.ts';
import type { SessionParts } from './parts.ts';
import { openBody } from './schema.ts';

export const openEndpoint = (
  parts: SessionParts & { readonly findSession: FindSession },
): OpenEndpoint<Nothing, typeof openBody> => ({
  parameters: nothing,
  body: openBody,
  async answer(call) {
    const secret = call.body.api_key;
    if (secret === undefined) {
      const session = await parts.findSession(call.shown);
      if (session) return answer(signedIn(parts, call, session));
      throw new GatewayError('invalid_api_key', 'There is no session, or it has ended.', {
        code: 'signed_out',
      });
    }
    const key = await parts.findApiKey(secret.trim());
    if (!key) {
      const message = 'Invalid API key: it is mistyped, unknown, disabled or expired.';
      throw new GatewayError('invalid_api_key', message, { param: 'api_key' });
    }
    const person: Person = {
      id: key.id,
      name: key.id,
      role: 'viewer',
      tenant: key.tenant,
      via: 'key',
      keyId: key.id,
    };
    const { token, ...session } = await parts.sessions.open(person, key.hash);
    const cookie = setSessionCookie(token, sessionHours * 3_600, call.shown.isSecure);
    return answer(signedIn(parts, call, session), [cookie]);
  },
});
