/** The cookies of the dashboard: pages cannot read them, and browsers send them to this site alone. */

interface SiteCookie {
  /** Its value in the header `Cookie`, if it is there. Over TLS, one that was set without is ignored. */
  read(header: string | undefined, isSecure: boolean): string | undefined;
  /** The value of `Set-Cookie`; `seconds` is how long it lasts. */
  set(value: string, seconds: number, isSecure: boolean): string;
  /** The value of `Set-Cookie` that removes it. */
  remove(isSecure: boolean): string;
}

/** `strict`: only requests of this site's own pages have it; `lax`: also an address that another site sends people to. */
type SameSite = 'Strict' | 'Lax';

/** Over TLS browsers accept the second name for this host alone. Source: RFC 6265bis, 4.1.3.2. */
function siteCookie(plainName: string, secureName: `__Host-${string}`, sameSite: SameSite): SiteCookie {
  const nameFor = (isSecure: boolean): string => (isSecure ? secureName : plainName);
  const set: SiteCookie['set'] = (value, seconds, isSecure) =>
    `${nameFor(isSecure)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
  return {
    set,
    read: (header, isSecure) => cookieIn(header, nameFor(isSecure)),
    remove: (isSecure) => set('', 0, isSecure),
  };
}

/** The token of a session by a one-time address or an API key. */
export const sessionCookie = siteCookie('gateway-session', '__Host-gateway-session', 'Strict');

/** The refresh token of a user who signed in at an issuer. */
export const refreshCookie = siteCookie('gateway-refresh', '__Host-session', 'Strict');

/** A sign-in at an issuer that has begun: the browser comes back from another site with it. */
export const signInCookie = siteCookie('gateway-sign-in', '__Host-sign-in', 'Lax');

/** A browser keeps at most so many bytes of a cookie, with its name and attributes. Source: RFC 6265bis, 5.6. */
export const maxCookieValue = 3_800;

/** The value of a cookie in the header `Cookie`. */
function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
