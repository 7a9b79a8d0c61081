/**
 * The internal format of rerank requests: what readers produce, and the scores of every rerank protocol.
 */

import type { Target } from '../catalog/model.ts';
import type { GatewayError } from '../errors/errors.ts';
import type { HttpResponse } from '../ports/http.ts';
import type { UpstreamFailure } from './original/protocol.ts';
import type { FieldPaths } from './original/source.ts';
import type { JsonObject } from './request.ts';

/** What the caller set, under its public name; absent means not set. */
export interface RerankParameters {
  /** How many of the best documents are wanted. Sent to providers, and applied by the gateway. */
  readonly top_n?: number;
  readonly max_tokens_per_doc?: number;
  readonly max_chunks_per_doc?: number;
  readonly priority?: number;
  readonly instruction?: string;
  /** False: what is too long is refused, and not cut. */
  readonly truncation?: boolean;
}

export interface RerankRequest {
  readonly query: string;
  /** As they are sent: an object is one text. */
  readonly documents: readonly string[];
  readonly parameters: RerankParameters;
  /** The caller's paths of parameters with other names. */
  readonly parameterPaths?: FieldPaths;
}

export interface Ranked {
  /** The position of the document in the request. */
  readonly index: number;
  /** Higher is more relevant. Scores of two models cannot be compared. */
  readonly score: number;
}

/** What an answer says that it used. Absent: it does not say. */
export interface RerankUse {
  readonly tokens?: number | undefined;
  readonly searchUnits?: number | undefined;
  /** In nano-dollars. */
  readonly statedCost?: number | undefined;
  readonly raw?: JsonObject | undefined;
}

/** A protocol for reranking; like a GenerationProtocol, it knows no provider, host or key. */
export interface RerankProtocol {
  /** The most documents that one call takes, if fewer than a request may have. */
  readonly maxDocuments?: number;
  /** Path below the provider's base URL, with a leading slash. */
  path(upstreamId: string): string;
  /** Total. */
  encode(request: RerankRequest, target: Target): JsonObject;
  /** Total. */
  readUse(body: unknown, headers: HttpResponse['headers'], request: RerankRequest): RerankUse;
  /** As they come. Throws GatewayError for a document without an index or a score. */
  decode(body: unknown): readonly Ranked[];
  readFailure(failure: UpstreamFailure): GatewayError;
}
