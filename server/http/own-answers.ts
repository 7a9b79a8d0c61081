/**
 * The answers of the server itself, from the same table as the deployed API Gateway: for a request that no function
 * handles, and for a function that failed before it answered.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { openHeaders } from '../../lib/core/cors.ts';
import {
  anthropicBaseUrl,
  type GatewayResponse,
  gatewayResponseBody,
  gatewayResponses,
  requestIdHeaders,
  serverResponses,
} from './gateway-responses.ts';
import { STATUS_CODES } from './node-http.ts';

type Headers = Readonly<Record<string, string>>;

/** Of one request. */
export type OwnHeaders = Headers & Readonly<Record<(typeof requestIdHeaders)[number], string>>;

/** What every answer of the server itself has; with `isOpen`, web pages may read it. */
export function ownHeaders(requestId: string, isOpen: boolean): OwnHeaders {
  const [first, second] = requestIdHeaders;
  return { [first]: requestId, [second]: requestId, ...(isOpen && openHeaders) };
}

interface OwnAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

interface UnknownUrl {
  readonly method: string;
  readonly path: string;
  /** The path that was probably meant. */
  readonly meant: string | undefined;
}

/** The answer to an unknown path; returns its type. API Gateway cannot name it safely in its own answer; here it is known and encoded. */
export function sendNotFound(
  response: ServerResponse,
  common: OwnHeaders,
  { method, path, meant }: UnknownUrl,
): string {
  const row = findRow('MISSING_AUTHENTICATION_TOKEN');
  const message = `Unknown request URL: ${method} ${path.slice(0, maxPathLength)}. ${hintOf(path, meant)}`;
  const { status, headers, body } = toAnswer({ ...row, message }, common);
  response.writeHead(status, headers).end(body);
  return unknownRoute;
}

/** In log lines and counts. API Gateway says that a signature is missing. */
const unknownRoute = 'UNKNOWN_ROUTE';

const maxPathLength = 200;

/** Operations of the public APIs that the gateway does not have. */
const unserved =
  /^\/v1\/(?:assistants|audio|batches|containers|conversations|evals|fine_tuning|images\/(?:edits|variations)|messages\/batches|organization|realtime|skills|threads|vector_stores|videos)(?:\/|$)/;

function hintOf(path: string, meant: string | undefined): string {
  if (unserved.test(path)) return 'The gateway does not have this operation.';
  if (meant === undefined) return 'The base URL ends in /v1.';
  const hint = `Did you mean ${meant}?`;
  return meant.startsWith('/v1/messages') ? `${hint} ${anthropicBaseUrl}` : hint;
}

/** The answer to a request for another host; returns its type. In AWS, it does not arrive at the API. */
export function sendMisdirected(response: ServerResponse, common: OwnHeaders): string {
  const row = findRow('DEFAULT_4XX');
  const message =
    'The Host header is none of the addresses of this gateway. Call it by one of them, such as 127.0.0.1, or list the name in GATEWAY_ALLOWED_HOSTS.';
  const { status, headers, body } = toAnswer({ ...row, message }, common, 421);
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
  return row.type;
}

/** Answers with the row of this type; `status` replaces that of a `DEFAULT_*` row. */
export function sendOwnAnswer(
  response: ServerResponse,
  type: string,
  common: OwnHeaders,
  status?: number,
): void {
  beginOwnAnswer(response, type, common, status);
  response.end();
}

/** The same, but the caller ends the answer. */
export function beginOwnAnswer(
  response: ServerResponse,
  type: string,
  common: OwnHeaders,
  status?: number,
): void {
  const answer = ownAnswer(type, common, status);
  response.writeHead(answer.status, answer.headers).write(answer.body);
}

/** The same for a connection whose request could not be parsed. Closes it. */
function sendRawOwnAnswer(socket: Duplex, type: string, status?: number): void {
  const { status: code, headers, body } = ownAnswer(type, ownHeaders(randomUUID(), false), status);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

function ownAnswer(type: string, common: OwnHeaders, status?: number): OwnAnswer {
  return toAnswer(findRow(type), common, status);
}

function toAnswer(row: GatewayResponse, common: OwnHeaders, status = row.status): OwnAnswer {
  const body = gatewayResponseBody(row, common['request-id']);
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...common,
      ...row.headers,
    },
    body,
  };
}

function findRow(type: string): GatewayResponse {
  const row = [...gatewayResponses, ...serverResponses].find((candidate) => candidate.type === type);
  if (row === undefined) throw new Error(`The table of gateway responses has no row ${type}.`);
  return row;
}

/** The code of Node's error for a request that does not arrive in time. */
export const requestTimeout = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Of the errors of Node's server; of all others, it is 400. */
const statuses: ReadonlyMap<string, number> = new Map([
  [requestTimeout, 408],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['HPE_HEADER_OVERFLOW', 431],
]);

/** What Node's parser refuses before there is a request, and a request that does not arrive in time. */
export function onClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  sendRawOwnAnswer(socket, 'DEFAULT_4XX', statuses.get(error.code ?? '') ?? 400);
}
