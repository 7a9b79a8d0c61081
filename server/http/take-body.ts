/** The body of a request: taken within the limits of one request, and of all that the process has, or refused. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { maxBodyBytes } from '../../lib/http/request/body-limit.ts';
import { bodyValues, memoryOfBody, type RequestShare } from '../process/memory-budget.ts';
import { isStopped } from '../process/running.ts';
import type { Arrival } from './connections.ts';
import { readBody } from './limits.ts';
import { beginOwnAnswer, type OwnHeaders, sendOwnAnswer } from './own-answers.ts';
import { isEncoded } from './received-request.ts';

/** What one request has of what all requests share. */
export interface Share {
  readonly arrival: Arrival;
  readonly memory: RequestShare;
}

/** How long a client may continue to send a refused body. */
const lingerMs = 1_000;

/** The type of the server's own answer if it is refused, and answered. Rejects if the client disconnects while it sends. */
export async function takeBody(
  request: IncomingMessage,
  response: ServerResponse,
  common: OwnHeaders,
  { arrival, memory, signal }: Share & { readonly signal: AbortSignal },
): Promise<Buffer | string> {
  const refuse = (type: string) => {
    sendOwnAnswer(response, type, common);
    return type;
  };
  const refuseUnread = (type: string) => refuseBody(request, response, type, common);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBodyBytes) return refuseUnread('REQUEST_TOO_LARGE');
  // What has not arrived takes nothing yet: anyone can announce a length, and never send it.
  if (!memory.fits(memoryOfBody(announced, 0))) return refuseUnread('SERVER_BUSY');
  const body = await readBody(request, arrival.receive, signal);
  if (body === undefined) return refuseUnread(isStopped(signal) ? 'SERVER_STOPPING' : 'REQUEST_TOO_LARGE');
  if (!arrival.complete()) return refuse('THROTTLED');
  if (!memory.admit(memoryOfBody(body.length, bodyValues(body)))) return refuse('SERVER_BUSY');
  // API Gateway replaces invalid UTF-8; here it can be detected and is refused.
  if (!isEncoded(request) && !isUtf8(body)) return refuse('BAD_REQUEST_BODY');
  return body;
}

/**
 * Answers while the client may still send. The connection closes a moment later: closing it with unread bytes would
 * reset the connection before the client has read the answer.
 */
function refuseBody(
  request: IncomingMessage,
  response: ServerResponse,
  type: string,
  common: OwnHeaders,
): string {
  response.setHeader('connection', 'close');
  beginOwnAnswer(response, type, common);
  const end = () => response.end();
  const enough = new AbortController();
  setTimeout(lingerMs, undefined, { signal: enough.signal }).then(end, () => {});
  finished(request.resume(), () => {
    enough.abort();
    end();
  });
  return type;
}
