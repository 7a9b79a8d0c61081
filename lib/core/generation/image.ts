/**
 * The internal format of image generation: the request that readers produce, and the answer of every image protocol.
 */

import type { Target } from '../catalog/model.ts';
import type { GatewayError } from '../errors/errors.ts';
import type { FormFile } from '../ports/http.ts';
import type { UpstreamFailure } from './original/protocol.ts';
import type { JsonObject } from './request.ts';

/** What the caller set, under its public name; absent means not set. */
export interface ImageParameters {
  readonly n?: number;
  readonly size?: string;
  readonly quality?: string;
  readonly background?: 'auto' | 'transparent' | 'opaque';
  readonly output_format?: 'png' | 'jpeg' | 'webp' | 'gif' | 'svg';
  readonly output_compression?: number;
  readonly moderation?: 'auto' | 'low';
  readonly complexity?: 'low' | 'medium' | 'high';
  readonly frame_count?: number;
  readonly frame_duration_ms?: number;
  readonly svg?: JsonObject;
  readonly user?: string;
  readonly safety_identifier?: string;
  /** Of an edit: how closely it keeps to the images. */
  readonly input_fidelity?: 'high' | 'low';
  /** Of a stream: how many unfinished images come before the finished one. */
  readonly partial_images?: number;
}

export interface ImageRequest {
  readonly prompt: string;
  readonly parameters: ImageParameters;
  /** The one image comes as events. */
  readonly stream?: true;
  /** The images that the prompt is about. Absent: none. */
  readonly edit?: ImageEdit;
}

/** The images of an edit, with a mask of the first one, or with drawings over it. */
export interface ImagesOfEdit<Image> {
  /** At least one. */
  readonly images: readonly Image[];
  readonly mask?: Image;
  readonly markup?: Image;
}

/** An image as a caller sends it: with its bytes, or as a URL that they are at. */
export interface GivenImage {
  /** The caller's field. */
  readonly path: string;
  readonly url?: string;
  readonly bytes?: Uint8Array;
}

export type ImageEdit = ImagesOfEdit<GivenImage>;

/** An image as it is sent to a target. */
export interface InputImage {
  /** By its first bytes. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Its base64, or the text that stands for it in a body until that is sent. */
  readonly base64: string;
}

/** The body of a call; with files it is a form. */
export interface EditCall {
  readonly body: JsonObject;
  readonly files?: readonly FormFile[];
}

/** Base64 of one image, in pieces that are never joined, because it may be very large. */
export type Base64 = Iterable<string>;

export interface ImageUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly inputTextTokens: number;
  readonly inputImageTokens: number;
  readonly outputTextTokens: number;
  readonly outputImageTokens: number;
  /** Part of `inputTokens`. */
  readonly cachedTokens: number;
  /** The usage objects of upstream, one for each call. */
  readonly raw: readonly JsonObject[];
}

/** The properties of images that upstream reports. */
export interface ImageEcho {
  readonly quality?: string;
  readonly size?: string;
  readonly background?: string;
  readonly outputFormat?: string;
}

export interface ImageAnswer extends ImageEcho {
  readonly images: readonly Base64[];
  /** Undefined if upstream reports none. */
  readonly usage: ImageUsage | undefined;
  /** What upstream itself reports as the cost, in nano-dollars; absent: it does not. */
  readonly statedCost?: number;
}

/** One event of a stream. Its image need not be read. */
export type ImageEvent =
  | ({ readonly type: 'partial'; readonly index: number; readonly image: Base64 } & ImageEcho)
  | { readonly type: 'completed'; readonly answer: ImageAnswer };

type ReadBase64 = (placeholder: string) => Base64;

/** A protocol for images; like a GenerationProtocol, it knows no provider, host or key. */
export interface ImageProtocol {
  /** The maximum number of images of one call; more take several calls. */
  readonly imagesPerCall: number;
  /** Path below the provider's base URL, with a leading slash. */
  path(upstreamId: string): string;
  /** The request body. Total. */
  encode(request: ImageRequest, target: Target): JsonObject;
  /** The same for a request with images. Absent: the provider edits none. */
  readonly edits?: {
    path(upstreamId: string): string;
    encode(request: ImageRequest, edit: ImagesOfEdit<InputImage>, target: Target): EditCall;
  };
  /**
   * Decodes a body whose long base64 texts were replaced: `base64` gives the pieces of one by its placeholder.
   *
   * Throws GatewayError `upstream_content_policy` for a refused image, `upstream_invalid_answer` for none.
   */
  decode(body: unknown, base64: ReadBase64): ImageAnswer;
  /** The same for an event of a stream; undefined for one without an image. Absent: the provider has no streams. */
  readEvent?(body: unknown, base64: ReadBase64): ImageEvent | undefined;
  /** The usage of a body that cannot be decoded; undefined where it has none. Absent: the provider reports none. */
  readUsage?(body: unknown): ImageUsage | undefined;
  readFailure(failure: UpstreamFailure): GatewayError;
}
