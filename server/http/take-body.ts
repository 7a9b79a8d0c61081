/** The body of a request: taken within the limits of one request, and of all that the process has, or refused. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { partBytes } from '../../lib/core/files.ts';
import { maxBodyBytes } from '../../lib/http/request/body-limit.ts';
import { bodyValues, memoryOfBody, memoryOfForm, type RequestShare } from '../process/memory-budget.ts';
import { afterBody } from './after-body.ts';
import type { Arrival } from './connections.ts';
import { type BodyReading, readBody } from './limits.ts';
import { beginOwnAnswer, type OwnHeaders, sendOwnAnswer } from './own-answers.ts';
import { isEncoded, isFormRequest } from './received-request.ts';

/** What one request has of what all requests share. */
export interface Share {
  readonly arrival: Arrival;
  readonly memory: RequestShare;
}

interface FormShare {
  /** The largest form of an operation that takes one in memory; absent: it takes none. */
  readonly maxFormBytes?: number | undefined;
}

/** The type of the server's own answer if it is refused, and answered. Rejects if the client disconnects while it sends. */
export async function takeBody(
  request: IncomingMessage,
  response: ServerResponse,
  common: OwnHeaders,
  {
    arrival,
    memory,
    maxFormBytes,
    ...reading
  }: Share & Omit<BodyReading, 'onBytes' | 'maxBytes'> & FormShare,
): Promise<Buffer | string> {
  const refuse = (type: string) => {
    sendOwnAnswer(response, type, common);
    return type;
  };
  const refuseUnread = (type: string) => refuseBody(request, response, type, common);
  const isForm = maxFormBytes !== undefined && isFormRequest(request);
  const maxBytes = isForm ? maxFormBytes : maxBodyBytes;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes) return refuseUnread('REQUEST_TOO_LARGE');
  // What has not arrived takes nothing yet: anyone can announce a length, and never send it.
  if (!memory.fits(isForm ? memoryOfForm(announced) : memoryOfBody(announced, 0)))
    return refuseUnread('SERVER_BUSY');
  const body = await readBody(request, { ...reading, maxBytes, onBytes: arrival.receive });
  if (body === undefined)
    return refuseUnread(reading.interrupt.stopped ? 'SERVER_STOPPING' : 'REQUEST_TOO_LARGE');
  if (!arrival.complete()) return refuse('THROTTLED');
  const taken = isForm ? memoryOfForm(body.length) : memoryOfBody(body.length, bodyValues(body));
  if (!memory.admit(taken)) return refuse('SERVER_BUSY');
  // API Gateway replaces invalid UTF-8; here it can be detected and is refused.
  if (!isEncoded(request) && !isUtf8(body)) return refuse('BAD_REQUEST_BODY');
  return body;
}

/** What a body that is read as it comes takes of the memory: its part that is stored, and what is on its way there. */
const arrivingBytes = 3 * partBytes;

/** The type of the server's own answer if it is refused, and answered. */
export function admitBody(
  request: IncomingMessage,
  response: ServerResponse,
  common: OwnHeaders,
  { arrival, memory }: Share,
): string | undefined {
  const refuse = (type: string) => refuseBody(request, response, type, common);
  if (!arrival.complete()) return refuse('THROTTLED');
  return memory.admit(arrivingBytes) ? undefined : refuse('SERVER_BUSY');
}

/** Answers while the client may still send. */
function refuseBody(
  request: IncomingMessage,
  response: ServerResponse,
  type: string,
  common: OwnHeaders,
): string {
  response.setHeader('connection', 'close');
  beginOwnAnswer(response, type, common);
  afterBody(request, () => response.end());
  return type;
}
