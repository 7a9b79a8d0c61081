/**
 * The intermediate of the image operation: what a caller asks to be drawn, and what every image wire gives back.
 */
import type { GatewayError } from '../errors.ts';
import type { Target } from '../model.ts';
import type { UpstreamFailure } from './protocol.ts';
import type { JsonObject } from './request.ts';

/** What a caller set, under its public name; absent means not set. */
export interface ImageParameters {
  readonly n?: number;
  readonly size?: string;
  readonly quality?: string;
  readonly background?: 'auto' | 'transparent' | 'opaque';
  readonly output_format?: 'png' | 'jpeg' | 'webp';
  readonly output_compression?: number;
  readonly moderation?: 'auto' | 'low';
  readonly user?: string;
}

export interface ImageRequest {
  readonly prompt: string;
  readonly parameters: ImageParameters;
}

/** Base64 of one image, in pieces that are never joined: it may be larger than everything else together. */
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
  /** What upstream counted, in its own words: once for each of its calls. */
  readonly raw: readonly JsonObject[];
}

export interface ImageAnswer {
  readonly images: readonly Base64[];
  /** Undefined where upstream counts nothing. */
  readonly usage: ImageUsage | undefined;
  /** What upstream says it did, where it does. */
  readonly quality?: string;
  readonly size?: string;
  readonly background?: string;
  readonly outputFormat?: string;
}

/** A wire for images; like a GenerationProtocol, it knows no provider, host or key. */
export interface ImageProtocol {
  /** How many images one call draws; more are drawn by several calls. */
  readonly imagesPerCall: number;
  /** Path below the provider's base URL, with a leading slash. */
  path(upstreamId: string): string;
  /** The request body. Total. */
  encode(request: ImageRequest, target: Target): JsonObject;
  /**
   * Decodes a body whose long base64 texts were taken out: `base64` gives the pieces of one by what stands in its place.
   *
   * Throws GatewayError `upstream_content_policy` for a picture that was refused, `upstream_invalid_answer` for none.
   */
  decode(body: unknown, base64: (placeholder: string) => Base64): ImageAnswer;
  readFailure(failure: UpstreamFailure): GatewayError;
}
