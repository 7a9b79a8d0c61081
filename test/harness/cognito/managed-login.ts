/**
 * The authorize endpoint, the pages of managed login and the sign-out endpoint. Sources: Cognito developer guide, "Redirect and
 * authorization endpoint" (parameters and errors; `prompt=none`), "The managed login sign-out endpoint: /logout"; a session of managed
 * login lasts an hour ("Understanding the identity (ID) token").
 */
import { newToken, type Pool } from './pool.ts';

export interface PageAnswer {
  readonly status: number;
  readonly location?: string;
  readonly cookie?: string;
  readonly html?: string;
}

export const sessionCookie = 'cognito';
const sessionMs = 3_600_000;
const codeMs = 300_000;

const page = (body: string, status = 200): PageAnswer => ({
  status,
  html: `<!doctype html><html lang="en"><title>Sign in</title><body>${body}</body></html>`,
});

/** An error that must not be sent to the address that was given. */
const errorPage = (error: string) => page(`<h1>An error was encountered</h1><p>${error}</p>`, 400);

export function answerAuthorize(pool: Pool, query: URLSearchParams, session: string | undefined): PageAnswer {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== pool.client.id) return errorPage('invalid_client');
  if (!pool.client.callbackUrls.includes(redirectUri)) return errorPage('redirect_mismatch');
  const problem = problemOf(pool, query);
  if (problem) return backWith(query, { error: problem });
  const username = usernameOf(pool, session);
  if (username !== undefined && query.get('prompt') !== 'login') return backWithCode(pool, query, username);
  if (query.get('prompt') === 'none') return backWith(query, { error: 'login_required' });
  return { status: 302, location: `/login?${query}` };
}

function problemOf(pool: Pool, query: URLSearchParams): string | undefined {
  if (query.get('response_type') !== 'code') return 'unauthorized_client';
  const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (scopes.some((scope) => !pool.client.scopes.includes(scope))) return 'invalid_scope';
  const method = query.get('code_challenge_method');
  const hasChallenge = query.has('code_challenge');
  if (hasChallenge !== (method !== null) || (hasChallenge && method !== 'S256')) return 'invalid_request';
  return undefined;
}

export const showLogin = (query: URLSearchParams): PageAnswer =>
  page(`<h1>Sign in</h1><form method="post" action="/login?${attribute(query.toString())}">
<label>Email address <input name="email" type="email" autocomplete="username" required></label>
<button>Next</button></form>`);

/** One step of the two: the address, then the code. Whether the address is known is not shown (PreventUserExistenceErrors). */
export function takeLogin(pool: Pool, query: URLSearchParams, form: URLSearchParams): PageAnswer {
  const email = form.get('email') ?? '';
  const user = pool.find(email);
  const code = form.get('code');
  if (code === null) {
    if (user?.enabled) pool.sendCode(email);
    return codePage(query, email, '');
  }
  const isRight = user?.enabled && pool.mailedCodes.get(email.toLowerCase()) === code;
  if (!user || !isRight) return codePage(query, email, '<p role="alert">Invalid code provided.</p>');
  pool.mailedCodes.delete(email.toLowerCase());
  const session = newToken();
  pool.sessions.set(session, { username: user.username, expiresAt: pool.now() + sessionMs });
  return {
    ...backWithCode(pool, query, user.username),
    cookie: `${sessionCookie}=${session}; Path=/; HttpOnly; SameSite=Lax`,
  };
}

const codePage = (query: URLSearchParams, email: string, note: string) =>
  page(`<h1>Enter code</h1>${note}<form method="post" action="/login?${attribute(query.toString())}">
<input name="email" type="hidden" value="${attribute(email)}">
<label>Code <input name="code" inputmode="numeric" autocomplete="one-time-code" required></label>
<button>Sign in</button></form>`);

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function usernameOf(pool: Pool, session: string | undefined): string | undefined {
  const known = pool.sessions.get(session ?? '');
  const user = known && pool.users.get(known.username);
  return known && user?.enabled && known.expiresAt > pool.now() ? known.username : undefined;
}

function backWithCode(pool: Pool, query: URLSearchParams, username: string): PageAnswer {
  const code = newToken();
  pool.codes.set(code, {
    username,
    redirectUri: query.get('redirect_uri') ?? '',
    challenge: query.get('code_challenge') ?? undefined,
    nonce: query.get('nonce') ?? undefined,
    scope: query.get('scope') ?? pool.client.scopes.join(' '),
    expiresAt: pool.now() + codeMs,
  });
  return backWith(query, { code });
}

function backWith(query: URLSearchParams, parameters: Readonly<Record<string, string>>): PageAnswer {
  const url = new URL(query.get('redirect_uri') ?? '');
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const state = query.get('state');
  if (state !== null) url.searchParams.set('state', state);
  return { status: 302, location: url.href };
}

export function answerLogout(pool: Pool, query: URLSearchParams, session: string | undefined): PageAnswer {
  const uri = query.get('logout_uri') ?? '';
  if (query.get('client_id') !== pool.client.id) return errorPage('invalid_client');
  if (!pool.client.logoutUrls.includes(uri)) return errorPage('redirect_mismatch');
  pool.sessions.delete(session ?? '');
  return { status: 302, location: uri, cookie: `${sessionCookie}=; Path=/; Max-Age=0` };
}
