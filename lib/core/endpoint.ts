/**
 * What lies between the HTTP room and an operation: the validated request that goes in, the answer that comes out.
 * Neither side knows the other.
 */
import type * as z from 'zod/mini';
import type { Batched } from '../async/pipe.ts';
import type { GatewayError } from './errors.ts';
import type { JsonObject } from './generation/request.ts';
import type { Usage } from './generation/usage.ts';
import type { DatedPrice } from './model.ts';
import type { ApiKey, MaxUse } from './ports.ts';

/** What the log line of a request tells about its work; operations add to it as they learn. */
export interface RequestFacts {
  requestedModel?: string;
  model?: string;
  provider?: string;
  region?: string;
  attempts?: number;
  /** The price that holds at the target. */
  price?: DatedPrice;
  streamed?: boolean;
  normalizations?: number;
  usage?: Usage;
  /** What upstream counted, in its own words. */
  rawUsage?: JsonObject;
  /** True where upstream had not counted when the answer broke off, so that the gateway counted what it saw. */
  estimated?: boolean;
  finishReasons?: readonly string[];
}

/** One request, as an operation sees it. */
export interface Call<Input> {
  readonly input: Input;
  /** Absent for operations that need no key. */
  readonly key?: ApiKey;
  readonly requestId: string;
  /** The caller's name for the conversation that the request belongs to, where one was given. */
  readonly sessionId?: string;
  /** Aborted when the caller is gone, or (reason: GatewayError `deadline_exceeded`) when the time is up. */
  readonly signal: AbortSignal;
  /** Milliseconds until the time is up. */
  readonly remainingMs: () => number;
  readonly facts: RequestFacts;
  /** To be called once, when it is known who may be asked and before anybody is. Rejects as RequestMeter does. */
  readonly admit: (most: () => MaxUse) => Promise<void>;
  /** To be called before each try of a provider, when the facts say which. */
  readonly begin: () => void;
}

/** An event of the public stream; `data` is sent as JSON, or as it is when it is a string. */
export interface PublicEvent {
  readonly event?: string;
  readonly data: object | string;
}

export type Answer =
  | { readonly type: 'json'; readonly body: object; readonly headers?: Readonly<Record<string, string>> }
  | {
      /** JSON that is too large to be held twice: its text, piece by piece. */
      readonly type: 'large-json';
      readonly text: Iterable<string>;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'stream';
      /** Throws GatewayError when the answer breaks off. */
      readonly events: Batched<PublicEvent>;
      /** What a reader of this dialect is told when the stream breaks off. */
      readonly onError: (error: GatewayError) => readonly PublicEvent[];
      readonly headers?: Readonly<Record<string, string>>;
    };

/** How long an answer that is not streamed may take to make. */
export interface BufferedLimit {
  /** The share of the remaining time; the rest is for sending the answer. From 0 to 1. */
  readonly share: number;
  /** The error message when the time is over. */
  readonly message: string;
}

/** An operation that is built. */
export interface Endpoint<Schema extends z.core.$ZodType, Input> {
  /** What the parsed body (or, where there is none, the parameters of query and path) must look like. */
  readonly schema: Schema;
  /** Reads a valid body. Throws GatewayError, naming the field, for what spans several fields. */
  readonly read: (body: z.core.output<Schema>) => Input;
  /** Starts what the answer will wait for. Who asks is not known yet, so that it only reads, and little. */
  readonly prepare?: (input: Input) => void;
  /** The time for an answer that is sent as a whole; undefined: it is streamed, or it is made at once. */
  readonly bufferedLimit?: (input: Input) => BufferedLimit | undefined;
  readonly answer: (call: Call<Input>) => Promise<Answer>;
}
