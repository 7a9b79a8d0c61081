/**
 * The internal format of embeddings: the request that readers produce, and the answer of every embedding protocol.
 */

import type { Target } from '../catalog/model.ts';
import type { GatewayError } from '../errors/errors.ts';
import type { HttpResponse } from '../ports/http.ts';
import type { UpstreamFailure } from './original/protocol.ts';
import type { FieldPaths } from './original/source.ts';
import type { JsonObject } from './request.ts';

/** The use of a text: some models encode a search query in another way than a stored document. */
export type InputType = 'query' | 'document';

/** What the caller set, under its public name; absent means not set. */
export interface EmbeddingParameters {
  readonly dimensions?: number;
  readonly user?: string;
  /** Set only if the caller sets it; the default is `document`. */
  readonly input_type?: InputType;
}

export interface EmbeddingRequest {
  /** As they are sent, with the prefix of models that need one. */
  readonly texts: readonly string[];
  /** The caller's path of each text. */
  readonly textPaths?: readonly string[];
  readonly parameters: EmbeddingParameters;
  /** The caller's paths of parameters, and of `texts`, where these have other names. */
  readonly parameterPaths?: FieldPaths;
}

/** The caller's path of a text, by its position. */
export function textPath({ textPaths }: EmbeddingRequest, position: number): string {
  return textPaths?.[position] ?? 'input';
}

/** One vector, in the precision of the upstream answer. */
export type Vector = Float32Array | readonly number[];

export interface EmbeddingAnswer {
  /** In the order of the texts. */
  readonly vectors: readonly Vector[];
  /** As reported by upstream; undefined if it reports none. */
  readonly promptTokens: number | undefined;
}

/** A protocol for embeddings; like a GenerationProtocol, it knows no provider, host or key. */
export interface EmbeddingProtocol {
  /** The maximum number of texts of one call. */
  readonly batchSize: number;
  /** The maximum bytes of text of one call, if the provider limits its tokens: a token is at least a byte. */
  readonly maxBytes?: number;
  /** Path below the provider's base URL, with a leading slash. */
  path(upstreamId: string): string;
  /** The request body for at most `batchSize` texts. Total. Never lets upstream truncate a text. */
  encode(request: EmbeddingRequest, target: Target): JsonObject;
  /** Throws GatewayError `upstream_invalid_answer` for anything but as many vectors as there were texts. */
  decode(body: unknown, headers: HttpResponse['headers'], texts: number): EmbeddingAnswer;
  /** A separate call that counts tokens, for protocols that report neither token counts nor texts that are too long. */
  readonly counting?: TokenCounting;
  readFailure(failure: UpstreamFailure): GatewayError;
}

export interface TokenCounting {
  path(upstreamId: string): string;
  encode(texts: readonly string[]): JsonObject;
  /** The tokens of all texts; undefined if the body does not report them. */
  decode(body: unknown): number | undefined;
}
