/**
 * One fake Cognito user pool on loopback: the metadata and keys of its issuer, managed login, and the endpoints for tokens. The JSON API
 * that administrators call is in `idp.ts`. Source: Cognito developer guide, "Identity provider and relying party endpoints".
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { end, listen } from '../listening.ts';
import {
  answerAuthorize,
  answerLogout,
  type PageAnswer,
  sessionCookie,
  showLogin,
  takeLogin,
} from './managed-login.ts';
import { type AppClient, createPool, type Pool } from './pool.ts';
import { answerRevoke, answerToken, type FormAnswer } from './token-endpoint.ts';
import { publicJwk, signingKeys } from './tokens.ts';

export interface FakeCognito {
  readonly url: string;
  readonly issuer: string;
  readonly pool: Pool;
  /** The paths of all requests, in their order. */
  readonly requests: string[];
  /** What the issuer publishes; tests put others in. */
  keys: readonly object[];
  /** Members that replace those of the metadata. */
  metadata: Readonly<Record<string, unknown>>;
  /** Whether it answers at all. */
  isDown: boolean;
  close(): Promise<void>;
}

export async function startFakeCognito(
  client: (url: string) => Partial<AppClient> = () => ({}),
  poolId?: string,
): Promise<FakeCognito> {
  const server = createServer((request, response) => void serve(fake, request, response));
  const url = await listen(server);
  const pool = createPool(client(url), poolId);
  const { id, access } = signingKeys();
  const fake: FakeCognito = {
    url,
    issuer: `${url}/${pool.id}`,
    pool,
    requests: [],
    keys: [publicJwk(id), publicJwk(access)],
    metadata: {},
    isDown: false,
    close: () => end(server),
  };
  return fake;
}

async function serve(fake: FakeCognito, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', fake.url);
  fake.requests.push(url.pathname);
  if (fake.isDown) return void request.socket.destroy();
  const form = new URLSearchParams(Buffer.concat(await Array.fromAsync(request)).toString());
  const session = cookieOf(request, sessionCookie);
  const { pool, issuer } = fake;
  const query = url.searchParams;
  const answers: Readonly<Record<string, () => void>> = {
    [`GET /${pool.id}/.well-known/openid-configuration`]: () =>
      json(response, { status: 200, body: metadataOf(fake) }),
    [`GET /${pool.id}/.well-known/jwks.json`]: () =>
      json(response, { status: 200, body: { keys: fake.keys } }),
    'GET /oauth2/authorize': () => show(response, answerAuthorize(pool, query, session)),
    'GET /login': () => show(response, showLogin(query)),
    'POST /login': () => show(response, takeLogin(pool, query, form)),
    'GET /logout': () => show(response, answerLogout(pool, query, session)),
    'POST /oauth2/token': () => json(response, answerToken(pool, issuer, form)),
    'POST /oauth2/revoke': () => json(response, answerRevoke(pool, form)),
  };
  const answer = answers[`${request.method} ${url.pathname}`];
  if (answer) answer();
  else response.writeHead(404).end();
}

/** As Cognito's own has it. */
const metadataOf = ({ issuer, url, metadata }: FakeCognito) => ({
  authorization_endpoint: `${url}/oauth2/authorize`,
  end_session_endpoint: `${url}/logout`,
  id_token_signing_alg_values_supported: ['RS256'],
  issuer,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  response_types_supported: ['code', 'token'],
  revocation_endpoint: `${url}/oauth2/revoke`,
  scopes_supported: ['openid', 'email', 'phone', 'profile'],
  subject_types_supported: ['public'],
  token_endpoint: `${url}/oauth2/token`,
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  userinfo_endpoint: `${url}/oauth2/userInfo`,
  ...metadata,
});

function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split('; ').map((pair) => pair.split('='));
  return pairs.find(([given]) => given === name)?.[1];
}

function json(response: ServerResponse, { status, body }: FormAnswer): void {
  response.writeHead(status, {
    'content-type': 'application/json;charset=UTF-8',
    'cache-control': 'no-store',
  });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

function show(response: ServerResponse, { status, location, cookie, html }: PageAnswer): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    ...(location !== undefined && { location }),
    ...(cookie !== undefined && { 'set-cookie': cookie }),
  });
  response.end(html ?? '');
}
