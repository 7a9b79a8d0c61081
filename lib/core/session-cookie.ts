/** The cookie of a session of the dashboard: pages cannot read it, and browsers send it to this site's own pages alone. */

const plainName = 'gateway-session';
/** Browsers accept it over TLS only, for this host alone. Source: RFC 6265bis, 4.1.3.2. */
const secureName = `__Host-${plainName}`;

/** Its value in the header `Cookie`, if it is there. Over TLS, one that was set without is ignored. */
export const sessionCookieIn = (header: string | undefined, isSecure: boolean): string | undefined =>
  cookieIn(header, nameFor(isSecure));

/** The value of a cookie in the header `Cookie`. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** The value of `Set-Cookie` that begins a session; `seconds` is how long it lasts. */
export const setSessionCookie = (token: string, seconds: number, isSecure: boolean): string =>
  `${nameFor(isSecure)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

/** The value of `Set-Cookie` that ends it. */
export const removeSessionCookie = (isSecure: boolean): string => setSessionCookie('', 0, isSecure);

const nameFor = (isSecure: boolean): string => (isSecure ? secureName : plainName);
