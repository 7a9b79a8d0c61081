/** What a browser keeps of a sign-in at the issuer, and where it goes then. Its cookies may have been set by others. */
import * as z from 'zod/mini';
import { maxCookieValue } from '../../core/admin/session-cookie.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { settingNames } from './settings.ts';

/** Characters that do not end a cookie; source: RFC 6265, 4.1.1. */
const plain = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/** A refresh token for a cookie. Throws GatewayError that names what an operator repairs, if there is none or a cookie cannot hold it. */
export function cookieValueOf(refreshToken: string | undefined): string {
  if (refreshToken === undefined) {
    const message = `The issuer gave no refresh token: its client must be allowed to get one, and ${settingNames.scopes} may need offline_access.`;
    throw new GatewayError('sign_in_unavailable', message);
  }
  if (refreshToken.length <= maxCookieValue && plain.test(refreshToken)) return refreshToken;
  const message = `The issuer gave a refresh token of ${refreshToken.length} characters; a cookie holds one of at most ${maxCookieValue} plain characters.`;
  throw new GatewayError('sign_in_unavailable', message);
}

/** Longer paths lead to the first page. */
const maxReturnPath = 1_000;
export const firstPage = '/dashboard/overview';

/** To a page of the dashboard: a path that browsers could read as another host, or that is not the dashboard's, leads to the first page. */
export function returnPathOf(given: string | undefined): string {
  if (given === undefined || given.length > maxReturnPath || !/^\/dashboard(?:[/?#]|$)/.test(given))
    return firstPage;
  // Browsers read a backslash as a slash, and leave out tabs and line ends.
  if (/[\\\p{C}]/u.test(given)) return firstPage;
  const base = 'https://dashboard.invalid';
  const url = URL.parse(given, base);
  // Resolved, so that `..` leads out of nothing.
  if (url?.origin !== base || !/^\/dashboard(?:\/|$)/.test(url.pathname)) return firstPage;
  return url.pathname + url.search + url.hash;
}

/** A sign-in that has begun, until the browser comes back from the issuer. */
const started = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  /** The secret of PKCE (RFC 7636). */
  verifier: z.string(),
  /** Where the user goes then. */
  returnPath: z.string(),
  /** Unix seconds. */
  endsAt: z.number(),
});

export type StartedSignIn = Readonly<z.infer<typeof started>>;

/** How long the issuer may keep a user, in seconds. */
export const signInSeconds = 600;

export const writeStarted = (value: StartedSignIn): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** Undefined for a text that is none, or one that took too long. `now`: milliseconds. */
export function readStarted(text: string | undefined, now: number): StartedSignIn | undefined {
  if (text === undefined) return undefined;
  const { success, data } = started.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  const leftMs = success ? data.endsAt * 1000 - now : 0;
  if (!success || leftMs <= 0 || leftMs > signInSeconds * 1000) return undefined;
  // Without TLS, other programs of this machine may have set the cookie.
  return { ...data, returnPath: returnPathOf(data.returnPath) };
}
