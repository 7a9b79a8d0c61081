/** The limits of the server. Those of a request are API Gateway's: what passes here also passes there. */
import type { IncomingMessage } from 'node:http';
import { startTimeout, stopTimeout } from '../../lib/async/timeout.ts';
import type { Interrupt } from '../../lib/core/interrupt.ts';
import { onClientError, requestTimeout } from './own-answers.ts';

/** In bytes, of all header values together. */
export const headerLimit = 10_240;

/** From the connection, or the end of the answer before, to the end of the headers. */
const maxHeadersMs = 20_000;

/** To the end of the body: 10 MB at 100 KB a second take 100 s. */
const maxRequestMs = 120_000;

/** The same of a body with a file, which may be fifty times as large. */
export const maxUploadMs = 900_000;

/**
 * How long a connection stays open between two requests: longer than a balancer's, which would otherwise send a request into one
 * that closes. AWS's load balancers close theirs after 60 s (source: Elastic Load Balancing, "Application Load Balancers", idle timeout).
 */
export const keepAliveMs = 65_000;

/**
 * How long an answer waits for a client that takes nothing of it. Without this, anyone could have as many answers wait as requests
 * may run, and everybody else would be refused. A slow client takes a little all the time, and is served to the end.
 */
const maxUnreadMs = 60_000;

/** Connections that wait for their client at a time: for a request, or for the rest of one. */
const maxWaiting = 1_000;

/** Bytes of bodies that have not arrived whole, together: a dozen of the largest. More may where the memory of requests has room. */
const maxArrivingBytes = 128 * 1024 * 1024;

/** Requests that run at a time, each with two connections. What their memory allows is mostly less. */
const maxRunning = 4_000;

/** Requests of one connection that run at a time: hardly any client sends the next one before it has the answer. */
const maxPipelined = 16;

export const serverLimits = {
  maxHeadersMs,
  maxRequestMs,
  keepAliveMs,
  maxUnreadMs,
  maxWaiting,
  maxArrivingBytes,
  maxRunning,
  maxPipelined,
};

export type ServerLimits = typeof serverLimits;

/** Names and values alternate, one character for each byte. */
export function headersFit({ rawHeaders }: IncomingMessage): boolean {
  let length = 0;
  for (let index = 1; index < rawHeaders.length; index += 2) length += rawHeaders[index]?.length ?? 0;
  return length <= headerLimit;
}

export interface BodyReading {
  /** Called with the length of each part. */
  readonly onBytes: (count: number) => void;
  readonly maxBytes: number;
  /** How long the body may take. */
  readonly maxMs: number;
  readonly interrupt: Interrupt;
}

/**
 * The body, or undefined if it is over the limit, or the server stops (it is then not read to its end). Rejects if the client
 * disconnects while it sends, or takes too long.
 */
export function readBody(
  request: IncomingMessage,
  { onBytes, maxBytes, maxMs, interrupt }: BodyReading,
): Promise<Buffer | undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  let isOver = false;
  return new Promise((resolve, reject) => {
    // Not an async iterator, which is several times slower for bodies of one chunk, as most are.
    const onData = (part: Buffer) => {
      if (isOver) return;
      size += part.length;
      onBytes(part.length);
      if (size <= maxBytes) parts.push(part);
      else end(undefined);
    };
    const onEnd = () => end(Buffer.concat(parts));
    const onClose = () => {
      if (isOver) return;
      stopTimeout(timeout);
      reject(new Error('The client disconnected while it sent.'));
    };
    const onLate = () => onClientError(Object.assign(new Error(), { code: requestTimeout }), request.socket);
    const timeout = startTimeout(onLate, maxMs);
    const end = (body: Buffer | undefined) => {
      if (isOver) return;
      isOver = true;
      stopTimeout(timeout);
      interrupt.listen(undefined);
      // What listens to the request lives as long as its answer, and would hold the body.
      parts = [];
      if (!body) request.pause();
      resolve(body);
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose);
    interrupt.listen(() => interrupt.stopped && end(undefined));
  });
}
