/** The answers about a session. */
import type { AdminAnswer, OpenCall } from '../../core/admin/admin-endpoint.ts';
import type { Session } from '../../stores/sessions/sessions.ts';
import type { SessionParts } from './parts.ts';
import type { SessionAnswer, SignedIn } from './schema.ts';

/** Of one who is not signed in. */
export const noSession = ({ ways, oidc }: SessionParts): SessionAnswer & { readonly signed_in: false } => ({
  object: 'session',
  signed_in: false,
  ways: [...ways],
  oidc: oidc ? { ...oidc.client } : null,
});

/** `accessToken`: what the dashboard sends with further calls, where the cookie is not enough. */
export function signedIn(
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

export const answer = (body: SessionAnswer, cookies?: readonly string[]): AdminAnswer => ({
  type: 'json',
  body,
  ...(cookies && { cookies }),
});
