/**
 * The interface of a provider protocol: how to encode a request and how to decode its answers. A protocol knows no
 * provider, host or key.
 */

import type { Target } from '../../catalog/model.ts';
import type { GatewayError } from '../../errors/errors.ts';
import type { GenerationEvent } from '../events.ts';
import type { GenerationRequest, JsonObject } from '../request.ts';
import type { Counted, Usage } from '../usage.ts';
import type { NativeFields } from './native-fields.ts';
import type { OriginalRequest } from './original.ts';

/** One unit of an upstream stream: an SSE event, or a message of an AWS event stream. */
export interface Frame {
  /** SSE `event:` (empty when absent), or `:event-type` / `:exception-type`. */
  readonly event: string;
  readonly data: string;
  /** True for an exception message of an event stream. */
  readonly exception?: boolean;
}

/** Splits the bytes of one stream into frames, whatever the chunks they arrive in. */
export interface FrameReader {
  /** The frames that the next bytes complete. Frames before an error are yielded before it is thrown. */
  read(bytes: Uint8Array): Iterable<Frame>;
  /** At the end of input. */
  end(): Iterable<Frame>;
}

/** Decodes one stream. Both methods throw GatewayError for an error that the stream reports. */
export interface StreamDecoder {
  onFrame(frame: Frame): readonly GenerationEvent[];
  /** The usage reported so far, in protocols that report it before the end. */
  usageSoFar?(): Usage | undefined;
  /** At the end of input. Throws `upstream_cut` if the end mark of the protocol is missing. */
  onEnd(): readonly GenerationEvent[];
}

/** An upstream answer with an error status, its body already read. */
export interface UpstreamFailure {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a provider counts the tokens of a request without answering it. */
export interface TokenCounter {
  /** Path below the provider's base URL, with a leading slash. */
  path(upstreamId: string): string;
  /** `request`: the body that would be answered. */
  body(request: JsonObject, upstreamId: string): JsonObject;
  /** What that body is sent in, where it is sent as base64. */
  inBase64?(base64: string): JsonObject;
  /** The count in an answer (parsed JSON); undefined where it has none. */
  read(answer: unknown): number | undefined;
  /** False: its place refuses some betas of Anthropic's, so none is sent. */
  readonly takesBetas?: false;
  /** What else it has for callers of the same protocol. Absent: nothing. */
  readOthers?(answer: unknown): JsonObject;
}

/** How a provider compacts a conversation itself. */
export interface Compactor {
  /** Path below the provider's base URL, with a leading slash. */
  readonly path: string;
  /** `request`: the body that would be answered. */
  body(request: JsonObject): JsonObject;
  /** The items that the next request begins with (parsed JSON); undefined where the answer has none. */
  read(answer: unknown): Compaction | undefined;
}

interface Compaction {
  readonly items: readonly JsonObject[];
  readonly usage?: Usage;
  /** The usage object of upstream. */
  readonly rawUsage?: JsonObject;
}

export interface EncodedOriginal {
  readonly body: JsonObject;
  /** Beside those of every call. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `original`: with `upstream` events, for the answer to a request in its caller's own protocol. */
export type AnswerFormat = 'meaning' | 'original';

export interface GenerationProtocol {
  /** Identifies the protocol: `native_fields` of one protocol are meaningless in another. */
  readonly name: string;
  readonly framing: 'sse' | 'event-stream';
  /** Path below the provider's base URL, with a leading slash. */
  path(upstreamId: string, stream: boolean): string;
  /**
   * The request body. Nothing is dropped silently: every field is translated, or sent under its public name for the
   * provider to reject. Images that are still `https:` URLs are passed as URLs.
   */
  encode(request: GenerationRequest, target: Target): JsonObject;
  /** The body and headers of a request that its caller sent in this protocol. Absent: no public operation speaks it. */
  encodeOriginal?(original: OriginalRequest, target: Target, stream: boolean): EncodedOriginal;
  /** The fields of the protocol that callers may give in `native_fields`. */
  nativeFields(target: Target): NativeFields;
  /** Adds those that are sent as they are to an encoded body. Absent: they are merged into the top level. */
  addNativeFields?(body: JsonObject, fields: JsonObject): JsonObject;
  /** Decodes a complete body (parsed JSON) to the same events as a stream of it. `form`: absent: only what it means. */
  decodeBody(body: unknown, form?: AnswerFormat): readonly GenerationEvent[];
  /** The usage of a body that cannot be decoded; undefined where it has none. */
  readUsage(body: unknown): Counted | undefined;
  decodeStream(form?: AnswerFormat): StreamDecoder;
  /** What an error status means, according to the error body of the protocol. */
  readFailure(failure: UpstreamFailure): GatewayError;
}
