/** A refresh token as the browser keeps it. */

import { maxCookieValue } from '../../core/admin/session-cookie.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { settingNames } from './settings.ts';

/** Characters that do not end a cookie; source: RFC 6265, 4.1.1. */
const plain = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/** Throws GatewayError that names what an operator repairs, if there is none or a cookie cannot hold it. */
export function cookieValueOf(refreshToken: string | undefined): string {
  if (refreshToken === undefined) {
    const message = `The issuer gave no refresh token: its client must be allowed to get one, and ${settingNames.scopes} may need offline_access.`;
    throw new GatewayError('sign_in_unavailable', message);
  }
  if (refreshToken.length <= maxCookieValue && plain.test(refreshToken)) return refreshToken;
  const message = `The issuer gave a refresh token of ${refreshToken.length} characters; a cookie holds one of at most ${maxCookieValue} plain characters.`;
  throw new GatewayError('sign_in_unavailable', message);
}
