/**
 * What a provider's wire is to the rest of the house: how to write a request on it and how to read its answers. A
 * protocol knows no provider, host or key.
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

/** Cuts the bytes of one stream into frames, however they were split on the way. */
export interface FrameReader {
  /** The frames that the next bytes complete; those before a failure come before it is thrown. */
  read(bytes: Uint8Array): Iterable<Frame>;
  /** At the end of input. */
  end(): Iterable<Frame>;
}

/** Decodes one stream. Both methods throw GatewayError for an error that the stream reports. */
export interface StreamDecoder {
  onFrame(frame: Frame): readonly GenerationEvent[];
  /** What upstream has counted so far, on wires that count before the end. */
  usageSoFar?(): Usage | undefined;
  /** At the end of input. Throws `upstream_cut` when the wire's own end was not seen. */
  onEnd(): readonly GenerationEvent[];
}

/** An upstream answer with an error status, its body already read. */
export interface UpstreamFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface GenerationProtocol {
  /** Tells wires apart: what is said in the words of one means nothing on another. */
  readonly wire: string;
  readonly framing: 'sse' | 'event-stream';
  /** Path below the provider's base URL, with a leading slash. */
  path(upstreamId: string, stream: boolean): string;
  /**
   * The request body. Total: whatever the request holds is translated or sent under its public name, never dropped.
   * Images that are still `https:` URLs are passed as URLs.
   */
  encode(request: GenerationRequest, target: Target): JsonObject;
  /** Puts a caller's `native_fields` into an encoded body. Absent: each stands at the top, objects are merged. */
  addNativeFields?(body: JsonObject, fields: JsonObject): JsonObject;
  /** Decodes a whole body (parsed JSON) into the same events as a stream of it. */
  decodeBody(body: unknown): readonly GenerationEvent[];
  decodeStream(): StreamDecoder;
  /** What an error status means, from the wire's error body. */
  readFailure(failure: UpstreamFailure): GatewayError;
}
