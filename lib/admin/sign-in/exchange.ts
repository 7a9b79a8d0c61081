/**
 * The requests to an issuer's token endpoint, and what is checked of its answers, by a library for it. The client is a public one with
 * PKCE; only an issuer that demands a secret gets one. Sources: RFC 6749, RFC 7636, RFC 7009, RFC 9207; OpenID Connect Core 1.0.
 */
import type { AuthorizationServer, Client, ClientAuth, TokenEndpointResponse } from 'oauth4webapi';
import { signedOut } from '../../core/admin/signed-out.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import type { SendForText, TextResponse } from '../../core/ports/http.ts';
import { userOf } from './claims.ts';
import { type Issuer, issuerTimeouts, maxIssuerBytes, unavailable } from './issuer.ts';
import type { IssuerSettings } from './settings.ts';
import { endOf, timeLeeway, type VerifyToken } from './verify.ts';

export interface ExchangeParts {
  readonly issuer: Issuer;
  readonly sendForText: SendForText;
  readonly verify: VerifyToken;
}

/** What a user has after the sign-in, or after a refresh. */
export interface SignedInTokens {
  readonly user: User;
  readonly idToken: string;
  /** Until when the ID token counts, in Unix seconds. */
  readonly expiresAt: number;
  /** Absent where the issuer gave no new one. */
  readonly refreshToken?: string;
}

type Library = typeof import('./flow-library.ts').flowLibrary;

/** The library with what its calls need. */
interface Calls {
  readonly library: Library;
  readonly server: AuthorizationServer;
  readonly client: Client;
  readonly clientAuth: ClientAuth;
  readonly options: object;
}

export const loadLibrary = async (): Promise<Library> => (await import('./flow-library.ts')).flowLibrary;

/** The library's errors have tokens and the issuer's texts in them: only the kind of one is used. */
async function withIssuer<Result>(
  settings: IssuerSettings,
  parts: ExchangeParts,
  act: (calls: Calls) => Promise<Result>,
): Promise<Result> {
  const calls = await prepare(settings, parts);
  try {
    return await act(calls);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const { code, error: given } = isJsonObject(error) ? error : {};
    const named = typeof given === 'string' && /^[a-z_]{1,40}$/.test(given) ? given : undefined;
    if (named === 'invalid_grant') throw signedOut('Your session has ended. Sign in again.');
    throw failed(`refused it (${named ?? code ?? 'its answer was not as expected'})`);
  }
}

async function prepare(settings: IssuerSettings, { issuer, sendForText }: ExchangeParts): Promise<Calls> {
  const library = await loadLibrary();
  const { clientId, clientSecret } = settings;
  const server = (await issuer.metadata.get()) as unknown as AuthorizationServer;
  return {
    library,
    server,
    client: { client_id: clientId, [library.clockTolerance]: timeLeeway },
    clientAuth: clientSecret === undefined ? library.None() : library.ClientSecretPost(clientSecret),
    options: {
      [library.customFetch]: (url: string, init: FetchInit) => send(sendForText, url, init),
      // On this machine only: the settings refuse any other.
      [library.allowInsecureRequests]: true,
    },
  };
}

interface FetchInit {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | null;
}

/** All of these requests are made with POST. */
async function send(sendForText: SendForText, url: string, { headers, body }: FetchInit): Promise<Response> {
  const request = {
    method: 'POST' as const,
    url: new URL(url).href,
    headers: Object.fromEntries(new Headers({ ...headers })),
    ...(body && { body: body.toString() }),
  };
  const sent = sendForText(request, { timeouts: issuerTimeouts, maxBytes: maxIssuerBytes });
  const answer = await sent.catch((cause: unknown) => {
    throw unavailable('did not answer', cause);
  });
  // A failure of the issuer's is no refusal of the user.
  if (answer.status >= 500) throw unavailable(`answered with status ${answer.status}`);
  return new Response(answer.text === '' ? null : answer.text, {
    status: answer.status,
    headers: headersOf(answer),
  });
}

function headersOf({ headers }: TextResponse): Headers {
  const type = headers['content-type'];
  return new Headers(type === undefined ? {} : { 'content-type': String(type) });
}

interface Redeemed {
  /** The parameters with which the issuer sent the user back. */
  readonly parameters: URLSearchParams;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Exchanges the code of a sign-in. Rejects with GatewayError. */
export async function redeem(
  settings: IssuerSettings,
  parts: ExchangeParts,
  given: Redeemed,
): Promise<SignedInTokens> {
  const { parameters, redirectUri, state, nonce, verifier } = given;
  return await withIssuer(settings, parts, async ({ library, server, client, clientAuth, options }) => {
    const checked = library.validateAuthResponse(server, client, parameters, state);
    const response = await library.authorizationCodeGrantRequest(
      server,
      client,
      clientAuth,
      checked,
      redirectUri,
      verifier,
      options,
    );
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const tokens = await library.processAuthorizationCodeResponse(server, client, response, expected);
    return await signedIn(settings, parts, tokens);
  });
}

/** Gets new tokens. Rejects with GatewayError: `signed_out` if the issuer does not take the refresh token. */
export async function refresh(
  settings: IssuerSettings,
  parts: ExchangeParts,
  refreshToken: string,
): Promise<SignedInTokens> {
  return await withIssuer(settings, parts, async ({ library, server, client, clientAuth, options }) => {
    const response = await library.refreshTokenGrantRequest(
      server,
      client,
      clientAuth,
      refreshToken,
      options,
    );
    const tokens = await library.processRefreshTokenResponse(server, client, response);
    return await signedIn(settings, parts, tokens);
  });
}

/** Takes a refresh token back, with all tokens that came by it. An issuer without such an endpoint lets it expire. */
export async function revoke(
  settings: IssuerSettings,
  parts: ExchangeParts,
  refreshToken: string,
): Promise<void> {
  await withIssuer(settings, parts, async ({ library, server, client, clientAuth, options }) => {
    if (server.revocation_endpoint === undefined) return;
    const response = await library.revocationRequest(server, client, clientAuth, refreshToken, {
      ...options,
      additionalParameters: { token_type_hint: 'refresh_token' },
    });
    await library.processRevocationResponse(response);
  });
}

async function signedIn(
  settings: IssuerSettings,
  { verify }: ExchangeParts,
  tokens: TokenEndpointResponse,
): Promise<SignedInTokens> {
  const { id_token: idToken, refresh_token: refreshToken } = tokens;
  if (idToken === undefined) throw failed('gave no ID token (its client must have the scope openid)');
  const claims = await verify(idToken);
  return {
    user: userOf(claims, settings),
    idToken,
    expiresAt: endOf(claims),
    ...(refreshToken !== undefined && { refreshToken }),
  };
}

const failed = (problem: string): GatewayError =>
  signedOut(`The sign-in failed: the issuer ${problem}. Sign in again.`);
