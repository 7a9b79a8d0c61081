/** What the operations of sessions need. */

import type { SignInMethod } from '../../core/admin/user.ts';
import type { FindApiKey } from '../../core/ports/api-keys.ts';
import type { SessionStore } from '../../stores/sessions/sessions.ts';
import type { Oidc } from '../sign-in/oidc.ts';

/** Where clients and the dashboard find the gateway. */
export interface Addresses {
  /** The base URL for clients, with `/v1`; absent: that of the request. */
  readonly gatewayUrl?: string | undefined;
  readonly playgroundUrl: string;
}

export interface SessionParts {
  readonly sessions: SessionStore;
  readonly findApiKey: FindApiKey;
  /** Undefined without an issuer. */
  readonly oidc: Oidc | undefined;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** The sign-in methods of this gateway. */
  readonly ways: readonly SignInMethod[];
  readonly addresses: Addresses;
  /** What this gateway can do beside what all can. */
  readonly features: { readonly members: boolean; readonly providers: boolean };
}
