/** What the operations of the sign-in need. */
import { GatewayError } from '../../core/errors/errors.ts';
import type { Log } from '../../core/ports/log.ts';
import type { Oidc } from './oidc.ts';
import { settingNames } from './settings.ts';

export interface SignInParts {
  /** Undefined where people sign in only in other ways. */
  readonly oidc: Oidc | undefined;
  readonly log: Log;
}

export function oidcOf({ oidc }: SignInParts): Oidc {
  if (oidc) return oidc;
  const message = `This gateway has no issuer to sign in at: ${settingNames.issuer} is not set.`;
  throw new GatewayError('unsupported_operation', message);
}
