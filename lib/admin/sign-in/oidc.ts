/**
 * Sign-in at an issuer of OpenID Connect: the browser goes there and comes back with a code, which is exchanged here. The browser keeps
 * the refresh token in a cookie that its scripts cannot read, and gets short ID tokens for it.
 */
import type { User } from '../../core/admin/user.ts';
import type { SendForText } from '../../core/ports/http.ts';
import type { Log } from '../../core/ports/log.ts';
import {
  firstPage,
  readStarted,
  returnPathOf,
  type StartedSignIn,
  signInSeconds,
  writeStarted,
} from './browser-state.ts';
import { userOf } from './claims.ts';
import { type ExchangeParts, loadLibrary, redeem, refresh, revoke, type SignedInTokens } from './exchange.ts';
import { createIssuer } from './issuer.ts';
import type { IssuerSettings } from './settings.ts';
import { createVerifyToken, endOf } from './verify.ts';

export interface Oidc {
  /** Facts about the issuer that a client on the user's own machine needs. */
  readonly client: { readonly issuer: string; readonly client_id: string; readonly scopes: string };
  /** Whether the dashboard is reached over TLS. */
  readonly isSecure: boolean;
  /** The user of an ID token. Rejects with GatewayError: `signed_out`, or `permission_denied` without a role. */
  sessionOf(idToken: string): Promise<{ readonly user: User; readonly expiresAt: number }>;
  /** Where the browser goes, and what it keeps until it comes back. */
  begin(returnPath: string | undefined): Promise<{ readonly location: string; readonly started: string }>;
  /** What the browser kept; undefined if it is no sign-in of ours, or took too long. */
  startedOf(text: string | undefined): StartedSignIn | undefined;
  /** Ends a sign-in that the browser came back from with these parameters. */
  finish(started: StartedSignIn, parameters: URLSearchParams): Promise<SignedInTokens>;
  refresh(refreshToken: string): Promise<SignedInTokens>;
  /** Takes the refresh token back, as far as the issuer can be reached. Never rejects. */
  end(refreshToken: string): Promise<void>;
  /** Where the browser goes to end its session with the issuer; undefined if the issuer has no such address. */
  signOutUrl(): Promise<string | undefined>;
  /** The public address of a page of the dashboard. */
  addressOf(path: string): string;
}

interface OidcParts {
  readonly sendForText: SendForText;
  /** The time in milliseconds. */
  readonly now: () => number;
  readonly log: Log;
}

const callbackPath = '/admin/v1/sign-in/callback';

export function createOidc(settings: IssuerSettings, { sendForText, now, log }: OidcParts): Oidc {
  const issuer = createIssuer(settings, { sendForText, now });
  const verify = createVerifyToken(settings, { issuer, now });
  const parts: ExchangeParts = { issuer, sendForText, verify };
  const { clientId, dashboardUrl, scopes } = settings;
  const addressOf = (path: string) => dashboardUrl + path;
  const redirectUri = addressOf(callbackPath);
  return {
    client: { issuer: settings.issuer, client_id: clientId, scopes },
    addressOf,
    isSecure: dashboardUrl.startsWith('https:'),
    async sessionOf(idToken) {
      const claims = await verify(idToken);
      return { user: userOf(claims, settings), expiresAt: endOf(claims) };
    },
    async begin(given) {
      const library = await loadLibrary();
      const verifier = library.generateRandomCodeVerifier();
      const started = {
        state: library.generateRandomState(),
        nonce: library.generateRandomNonce(),
        verifier,
        returnPath: returnPathOf(given),
        endsAt: Math.floor(now() / 1000) + signInSeconds,
      };
      const { authorization_endpoint: endpoint } = await issuer.metadata.get();
      const location = withParameters(endpoint, {
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: scopes,
        state: started.state,
        nonce: started.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { location, started: writeStarted(started) };
    },
    startedOf: (text) => readStarted(text, now()),
    finish: ({ state, nonce, verifier }, parameters) =>
      redeem(settings, parts, { parameters, redirectUri, state, nonce, verifier }),
    refresh: (refreshToken) => refresh(settings, parts, refreshToken),
    async end(refreshToken) {
      // The cookie is gone in any case, and with it the session of this browser.
      await revoke(settings, parts, refreshToken).catch((error: unknown) =>
        log.warn('refresh token not revoked', { reason: error instanceof Error ? error.message : '' }),
      );
    },
    async signOutUrl() {
      const page = addressOf(firstPage);
      // Cognito's own parameters. Source: Cognito developer guide, "The managed login sign-out endpoint: /logout".
      if (settings.signOutUrl !== undefined)
        return withParameters(settings.signOutUrl, { client_id: clientId, logout_uri: page });
      const endpoint = (await issuer.metadata.get().catch(() => undefined))?.end_session_endpoint;
      return endpoint && withParameters(endpoint, { client_id: clientId, post_logout_redirect_uri: page });
    },
  };
}

function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
