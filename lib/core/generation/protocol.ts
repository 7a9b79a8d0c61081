/**
 * What a provider protocol consists of: encoding requests, and decoding answers and errors. A protocol knows no provider,
 * host or key.
 */
import type { GatewayError } from '../errors.ts';
import type { Target } from '../model.ts';
import type { GenerationEvent } from './events.ts';
import type { GenerationRequest, JsonObject } from './request.ts';
import type { Usage } from './usage.ts';

/** One unit of an upstream stream: an SSE event, or a message of an AWS event stream. */
export interface Frame {
  /** SSE `event:` (empty when absent), or `:event-type` / `:exception-type`. */
  readonly event: string;
  readonly data: string;
  /** True for an exception message of an event stream. */
  readonly exception?: boolean;
}

/** Splits the bytes of one stream into frames, regardless of network chunks. */
export interface FrameReader {
  /** The frames that the next bytes complete. Frames before a failure are given before it is thrown. */
  read(bytes: Uint8Array): Iterable<Frame>;
  /** At the end of input. */
  end(): Iterable<Frame>;
}

/** Decodes one stream. Both methods throw GatewayError for an error that the stream reports. */
export interface StreamDecoder {
  onFrame(frame: Frame): readonly GenerationEvent[];
  /** The usage reported so far, for protocols that report it before the end. */
  usageSoFar?(): Usage | undefined;
  /** At the end of input. Throws `upstream_cut` if the protocol's own end marker is missing. */
  onEnd(): readonly GenerationEvent[];
}

/** An upstream answer with an error status, with its body. */
export interface UpstreamFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface GenerationProtocol {
  /** Name of the protocol: fields of one protocol mean nothing in another. */
  readonly wire: string;
  readonly framing: 'sse' | 'event-stream';
  /** Path below the provider's base URL, with a leading slash. */
  path(upstreamId: string, stream: boolean): string;
  /**
   * The request body. Total: everything in the request is translated or sent under its public name, never dropped.
   * Images that are still `https:` URLs are passed as URLs.
   */
  encode(request: GenerationRequest, target: Target): JsonObject;
  /** Puts a caller's `native_fields` into an encoded body. Absent: they are merged at the top level. */
  addNativeFields?(body: JsonObject, fields: JsonObject): JsonObject;
  /** Decodes a whole body (parsed JSON) into the same events as a stream of it. */
  decodeBody(body: unknown): readonly GenerationEvent[];
  decodeStream(): StreamDecoder;
  /** Reads the error body of an error status. */
  readFailure(failure: UpstreamFailure): GatewayError;
}
