/**
 * Sign-in of the command line at an issuer of OpenID Connect: by a code with PKCE, which the browser brings to a port of this machine.
 * Sources: RFC 8252, RFC 7636, RFC 7009; OpenID Connect Core 1.0.
 */
import { createServer, type Server } from 'node:http';
import * as oauth from 'oauth4webapi';
import { loopbackCallbacks } from '../../lib/core/admin/loopback-callbacks.ts';
import type { IssuerSignIn } from './sign-in-file.ts';

/** How long a person has to sign in. */
const signInMs = 300_000;

interface Loopback {
  /** One of those that are registered at the issuer. */
  readonly redirectUri: string;
  /** The address that the browser came back to. Rejects after five minutes. */
  readonly returned: Promise<URL>;
  close(): void;
}

/** Listens on the first registered port that is free. Rejects if none is. */
export async function listenForBrowser(): Promise<Loopback> {
  for (const redirectUri of loopbackCallbacks) {
    const { promise: returned, resolve, reject } = Promise.withResolvers<URL>();
    const servers = await listen(redirectUri, resolve);
    if (servers.length === 0) continue;
    const timer = setTimeout(() => reject(new Error('No one signed in within five minutes.')), signInMs);
    const close = () => {
      clearTimeout(timer);
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    };
    return { redirectUri, returned, close };
  }
  const ports = loopbackCallbacks.map((address) => new URL(address).port).join(', ');
  throw new Error(`The ports ${ports} of this machine are in use: free one of them to sign in.`);
}

/** Browsers take `localhost` for either of the two addresses of this machine. None if the port is in use. */
async function listen(redirectUri: string, returned: (url: URL) => void): Promise<readonly Server[]> {
  const { port, pathname } = new URL(redirectUri);
  const started = await Promise.allSettled(
    ['127.0.0.1', '::1'].map((host) => {
      const server = createServer((request, response) => {
        const url = URL.parse(request.url ?? '', redirectUri);
        const isCallback = request.method === 'GET' && url?.pathname === pathname;
        response.writeHead(isCallback ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
        response.end(isCallback ? 'You can close this window and return to the terminal.\n' : 'Not found.\n');
        if (isCallback && url) returned(url);
      });
      return new Promise<Server>((resolve, reject) => {
        server.once('error', reject);
        server.listen(Number(port), host, () => resolve(server));
      });
    }),
  );
  const servers = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const isUsed = started.some((one) => one.status === 'rejected' && one.reason?.code === 'EADDRINUSE');
  if (!isUsed) return servers;
  for (const server of servers) server.close();
  return [];
}

/** What a gateway publishes for clients without a secret. */
interface IssuerFacts {
  readonly issuer: string;
  readonly client_id: string;
  readonly scopes: string;
}

type Facts = Pick<IssuerFacts, 'issuer' | 'client_id'>;

const timeoutMs = 15_000;

/** The gateway's address is checked before; an issuer of this machine may lack TLS. */
const options = () => ({
  [oauth.allowInsecureRequests]: true,
  signal: AbortSignal.timeout(timeoutMs),
});

async function discover({ issuer }: Facts): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer);
  if (url.protocol !== 'https:' && !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
    throw new Error('The issuer of this gateway has no TLS.');
  return await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options()));
}

interface StartedSignIn {
  /** Where the browser goes. */
  readonly url: string;
  /** With the address that the browser came back to. */
  finish(returned: URL): Promise<IssuerSignIn>;
}

export async function startSignIn(facts: IssuerFacts, redirectUri: string): Promise<StartedSignIn> {
  const server = await discover(facts);
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const url = new URL(server.authorization_endpoint ?? '');
  const asked = {
    client_id: facts.client_id,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: facts.scopes,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  const client = { client_id: facts.client_id };
  return {
    url: url.href,
    async finish(returned) {
      const checked = checkReturned(server, client, returned, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        checked,
        redirectUri,
        verifier,
        options(),
      );
      const expected = { expectedNonce: nonce, requireIdToken: true };
      return signInOf(
        facts,
        await oauth.processAuthorizationCodeResponse(server, client, response, expected),
      );
    },
  };
}

/** Whether the browser came back for this sign-in, and with a code. Throws Error. */
function checkReturned(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  returned: URL,
  state: string,
): URLSearchParams {
  try {
    return oauth.validateAuthResponse(server, client, returned, state);
  } catch (cause) {
    const refusal = cause instanceof oauth.AuthorizationResponseError ? cause.error : undefined;
    const problem =
      refusal === undefined
        ? 'The answer of the sign-in is not for this command: sign in again.'
        : `The issuer refused it: ${/^[\w.-]{1,64}$/.test(refusal) ? refusal : 'without a known reason'}.`;
    throw new Error(problem, { cause });
  }
}

/** New tokens. Rejects if the issuer does not take the refresh token any more. */
export async function refreshSignIn(known: IssuerSignIn): Promise<IssuerSignIn> {
  if (known.refresh_token === undefined) throw new Error('The sign-in has ended.');
  const server = await discover(known);
  const client = { client_id: known.client_id };
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    known.refresh_token,
    options(),
  );
  const tokens = await oauth.processRefreshTokenResponse(server, client, response);
  return { ...known, ...signInOf(known, tokens) };
}

/** Takes the refresh token back, where the issuer can do that. */
export async function revokeSignIn(known: IssuerSignIn): Promise<void> {
  const server = await discover(known);
  if (known.refresh_token === undefined || server.revocation_endpoint === undefined) return;
  const client = { client_id: known.client_id };
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(server, client, oauth.None(), known.refresh_token, options()),
  );
}

function signInOf({ issuer, client_id }: Facts, tokens: oauth.TokenEndpointResponse): IssuerSignIn {
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (tokens.id_token === undefined || !claims) throw new Error('The issuer gave no ID token.');
  return {
    way: 'oidc',
    issuer,
    client_id,
    id_token: tokens.id_token,
    expires_at: claims.exp,
    ...(tokens.refresh_token !== undefined && { refresh_token: tokens.refresh_token }),
  };
}
