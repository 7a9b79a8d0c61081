/**
 * The intermediate of the embeddings operation: what a caller asks to be embedded, and what every embedding wire gives
 * back.
 */
import type { GatewayError } from '../errors.ts';
import type { Target } from '../model.ts';
import type { HttpResponse } from '../ports.ts';
import type { UpstreamFailure } from './protocol.ts';
import type { JsonObject } from './request.ts';
import type { FieldPaths } from './source.ts';

/** What a text is to be compared as: some models encode a search query in another way than a stored document. */
export type InputType = 'query' | 'document';

/** What a caller set, under its public name; absent means not set. */
export interface EmbeddingParameters {
  readonly dimensions?: number;
  readonly user?: string;
  /** Set only where the caller says so; a document is what a text is otherwise. */
  readonly input_type?: InputType;
}

export interface EmbeddingRequest {
  /** As they go to the model: with the prefix that it wants, where it wants one. */
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

/** One vector: as exact as upstream gave it. */
export type Vector = Float32Array | readonly number[];

export interface EmbeddingAnswer {
  /** In the order of the texts. */
  readonly vectors: readonly Vector[];
  /** What upstream counted; undefined where it counts nothing. */
  readonly promptTokens: number | undefined;
}

/** A wire for embeddings; like a GenerationProtocol, it knows no provider, host or key. */
export interface EmbeddingProtocol {
  /** How many texts one call takes. */
  readonly batchSize: number;
  /** How many bytes of text one call takes where the provider limits its tokens: a token is at least a byte. */
  readonly maxBytes?: number;
  /** Path below the provider's base URL, with a leading slash. */
  path(upstreamId: string): string;
  /** The request body for at most `batchSize` texts. Total. Never lets upstream truncate a text. */
  encode(request: EmbeddingRequest, target: Target): JsonObject;
  /** Throws GatewayError `upstream_invalid_answer` for anything but as many vectors as there were texts. */
  decode(body: unknown, headers: HttpResponse['headers'], texts: number): EmbeddingAnswer;
  /** Another call that counts, for a wire that tells neither how long the texts were nor that one was too long. */
  readonly counting?: TokenCounting;
  readFailure(failure: UpstreamFailure): GatewayError;
}

export interface TokenCounting {
  path(upstreamId: string): string;
  encode(texts: readonly string[]): JsonObject;
  /** The tokens of all texts; undefined where the body does not tell. */
  decode(body: unknown): number | undefined;
}
