/** The operations of the dashboard's session: who is signed in, sign-in by a one-time address or an API key, and sign-out. */
import {
  type AdminAnswer,
  type Nothing,
  nothing,
  type OpenCall,
  type OpenEndpoint,
} from '../../core/admin/admin-endpoint.ts';
import { refreshCookie, sessionCookie } from '../../core/admin/session-cookie.ts';
import { signedOut } from '../../core/admin/signed-out.ts';
import type { SignInMethod, User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { FindApiKey } from '../../core/ports/api-keys.ts';
import { type Session, type SessionStore, sessionSeconds } from '../../stores/sessions/sessions.ts';
import { cookieValueOf } from '../sign-in/browser-state.ts';
import type { Oidc } from '../sign-in/oidc.ts';
import { type FindSession, maySignIn, sessionTokenOf } from './find-session.ts';
import { openBody, type SessionAnswer, type SignedIn, startParameters } from './schema.ts';

export interface SessionParts {
  readonly sessions: SessionStore;
  readonly findSession: FindSession;
  readonly findApiKey: FindApiKey;
  /** Undefined without an issuer. */
  readonly oidc: Oidc | undefined;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** The sign-in methods of this gateway. */
  readonly ways: readonly SignInMethod[];
  /** Where clients and the dashboard find the gateway. */
  readonly addresses: {
    /** The base URL for clients, with `/v1`; absent: that of the request. */
    readonly gatewayUrl?: string | undefined;
    readonly playgroundUrl: string;
  };
  /** What this gateway can do beside what all can. */
  readonly features: { readonly members: boolean; readonly providers: boolean };
}

/** `GET /admin/v1/session`: who is signed in, or how to sign in. */
export const showEndpoint = (parts: SessionParts): OpenEndpoint<Nothing, Nothing> => ({
  parameters: nothing,
  body: nothing,
  async answer(call) {
    const session = await parts.findSession(call.shown);
    return answer(session ? signedIn(parts, call, session) : noSession(parts));
  },
});

const home = '/dashboard/';

/** The dashboard shows what to do. */
const refused = { type: 'redirect', location: `${home}#used-address` } as const;

/**
 * `GET /dashboard/start`: the one-time address that a local gateway prints. Its token opens one session of an operator and leaves
 * the address bar with the redirect; a second use of it, or a use from another machine, opens none.
 */
export const startEndpoint = ({
  sessions,
}: Pick<SessionParts, 'sessions'>): OpenEndpoint<typeof startParameters, Nothing> => ({
  parameters: startParameters,
  body: nothing,
  async answer({ parameters, shown }) {
    const name = shown.isLocal ? await sessions.takeTicket(parameters.token) : undefined;
    if (name === undefined) return refused;
    const { token } = await sessions.open({ id: name, name, role: 'operator', via: 'address' });
    const cookie = sessionCookie.set(token, sessionSeconds, shown.isSecure);
    return { type: 'redirect', location: home, cookies: [cookie] };
  },
});

/**
 * `POST /admin/v1/session`: the session of a cookie, or a new one by an API key. That one may read what the key's tenant has used;
 * the key's own limits, and a suspension of the tenant, do not matter to it.
 */
export const openEndpoint = (parts: SessionParts): OpenEndpoint<Nothing, typeof openBody> => ({
  parameters: nothing,
  body: openBody,
  async answer(call) {
    const secret = call.body.api_key;
    if (secret === undefined) return await openKnown(parts, call);
    const key = await parts.findApiKey(secret.trim());
    const param = 'api_key';
    if (!key) {
      const message = 'Invalid API key: it is mistyped, unknown, disabled or expired.';
      throw new GatewayError('invalid_api_key', message, { param });
    }
    if (!maySignIn(key.keyPolicy)) {
      const message = 'This API key has no permission to read usage: sign in with another.';
      throw new GatewayError('permission_denied', message, { code: 'operation_not_allowed', param });
    }
    const { id, tenant, hash } = key;
    const user: User = { id, name: id, role: 'viewer', tenant, via: 'key', keyId: id };
    const { token, ...session } = await parts.sessions.open(user, hash);
    const cookie = sessionCookie.set(token, sessionSeconds, call.shown.isSecure);
    return answer(signedIn(parts, call, session), [cookie]);
  },
});

/** By our own cookie, or by the refresh token of the issuer: then the dashboard gets a short ID token, and the cookie the next refresh token. */
async function openKnown(parts: SessionParts, call: OpenCall<object, object>): Promise<AdminAnswer> {
  const session = await parts.findSession(call.shown);
  if (session?.user.managementKey) throw noBrowserSession();
  if (session) return answer(signedIn(parts, call, session));
  const { oidc } = parts;
  const refreshToken = oidc && refreshCookie.read(call.header('cookie'), oidc.isSecure);
  if (!oidc || !refreshToken) throw signedOut('There is no session, or it has ended.');
  const { idToken, refreshToken: next = refreshToken, ...found } = await oidc.refresh(refreshToken);
  const cookie = refreshCookie.set(cookieValueOf(next), sessionSeconds, oidc.isSecure);
  return answer(signedIn(parts, call, found, idToken), [cookie]);
}

/**
 * `DELETE /admin/v1/session`: signs out. The session's token, or the refresh token, is worth nothing afterwards. The issuer has a session
 * of its own with the browser, which ends at `sign_out_url`.
 */
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

const noBrowserSession = () =>
  new GatewayError(
    'permission_denied',
    "A management key opens no session: send it with each call, as 'Authorization: Bearer mgm_…'.",
    { code: 'operation_not_allowed' },
  );

/** Of one who is not signed in. */
const noSession = ({ ways, oidc }: SessionParts): SessionAnswer & { readonly signed_in: false } => ({
  object: 'session',
  signed_in: false,
  ways: [...ways],
  oidc: oidc ? { ...oidc.client } : null,
});

/** `accessToken`: what the dashboard sends with further calls, where the cookie is not enough. */
function signedIn(
  { addresses, features }: SessionParts,
  { header, shown }: Pick<OpenCall<unknown, unknown>, 'header' | 'shown'>,
  { user, expiresAt }: Session,
  accessToken: string | null = null,
): SignedIn {
  const isOperator = user.role === 'operator';
  return {
    object: 'session',
    signed_in: true,
    way: user.via,
    user: { id: user.id, name: user.name },
    role: user.role,
    tenant: user.tenant ?? null,
    expires_at: expiresAt,
    access_token: accessToken,
    api_url: user.via === 'key' ? '/account/v1' : '/admin/v1',
    gateway_url: addresses.gatewayUrl ?? `${shown.isSecure ? 'https' : 'http'}://${header('host') ?? ''}/v1`,
    playground_url: addresses.playgroundUrl,
    features: {
      members: features.members && (isOperator || user.role === 'tenant_admin'),
      providers: features.providers && isOperator,
    },
  };
}

const answer = (body: SessionAnswer, cookies?: readonly string[]): AdminAnswer => ({
  type: 'json',
  body,
  ...(cookies && { cookies }),
});
