/**
 * One HTTP request, and what runs its handler. Lambda makes both of an event (`lib/http/lambda`), a server of what it has received:
 * everything above knows neither.
 */
import type { Interrupt } from '../../core/interrupt.ts';
import type { RequestMemory } from '../../core/ports/memory.ts';
import type { MeasuredRequest } from '../../core/ports/request-metrics.ts';
import type { HttpAnswer } from '../respond.ts';

export interface HttpRequest {
  readonly method: string;
  /** Without the query. Behind API Gateway it begins with the stage. */
  readonly path: string;
  /** Of the route table: the one that the path fits. */
  readonly template: string;
  readonly pathParameters: Readonly<Record<string, string | undefined>>;
  /** All values of each parameter. */
  readonly query: Readonly<Record<string, readonly string[] | undefined>>;
  /** The last value of a header; its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** Every value of a header. */
  readonly headerValues: (name: string) => readonly string[];
  /** As bytes if it is compressed, or may be. */
  readonly body: string | Buffer;
  /** The body while it comes, where the host has not waited for it: then `body` is empty. Throws GatewayError where it breaks off. */
  readonly arriving?: AsyncIterable<Uint8Array>;
  /** Called when the body has been read: it is as large as what was read from it, which is kept until the request ends. */
  readonly leaveBody?: () => void;
  /** The address of the client; empty if it has gone. */
  readonly sourceIp: string;
}

export interface RequestHost {
  /** With the time in it; see `lib/core/names/request-id.ts`. */
  readonly requestId: string;
  /** As in the lines that Lambda writes itself. */
  readonly lambdaRequestId?: string;
  /** Until the host ends the request. */
  readonly remainingMs: () => number;
  /** Absent in Lambda, which does not report it. */
  readonly interrupt?: Interrupt;
  /** Of the process. */
  readonly memory?: RequestMemory | undefined;
  /** Called with each request that has ended. */
  readonly count?: ((request: MeasuredRequest) => void) | undefined;
}

/** Answers one request. */
export type Handler = (request: HttpRequest, host: RequestHost) => Promise<HttpAnswer>;
