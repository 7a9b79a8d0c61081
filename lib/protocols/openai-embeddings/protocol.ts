/** The OpenAI embeddings wire, and those of the hosts that imitate it. */

import { GatewayError } from '../../core/errors.ts';
import type {
  EmbeddingAnswer,
  EmbeddingParameters,
  EmbeddingProtocol,
  EmbeddingRequest,
} from '../../core/generation/embedding.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { Target } from '../../core/model.ts';
import { withInternalNames } from '../failure.ts';
import { asArray, asCount, asObject } from '../json.ts';
import { readFailure, readReportedFailure } from '../openai-chat/failure.ts';
import { readVectors } from '../vectors.ts';
import type { EmbeddingDialect } from './dialect.ts';

export function createOpenaiEmbeddings(dialect: EmbeddingDialect): EmbeddingProtocol {
  const { names = {}, readFailure: readError = readFailure } = dialect;
  const internalNames = Object.fromEntries(Object.entries(names).map(([name, own]) => [own, name]));
  return {
    batchSize: dialect.batchSize,
    ...(dialect.maxBytes !== undefined && { maxBytes: dialect.maxBytes }),
    path: () => '/embeddings',
    encode: (request, target) => encode(request, target, dialect),
    decode: (body, _headers, texts) => decode(asObject(body), texts),
    readFailure: (failure) => withInternalNames(readError(failure), internalNames),
  };
}

function encode(
  { texts, parameters }: EmbeddingRequest,
  { deployment }: Target,
  dialect: EmbeddingDialect,
): JsonObject {
  const { names = {}, inputTypes, always } = dialect;
  const name = (parameter: keyof EmbeddingParameters) => names[parameter] ?? parameter;
  const { dimensions, user, input_type: type } = parameters;
  return {
    model: deployment.upstreamId,
    input: texts,
    ...always,
    ...(dimensions !== undefined && { [name('dimensions')]: dimensions }),
    ...(user !== undefined && { [name('user')]: user }),
    ...(type !== undefined && { [name('input_type')]: inputTypes?.[type] ?? type }),
  };
}

function decode(body: JsonObject, texts: number): EmbeddingAnswer {
  const failure = readReportedFailure(body);
  if (failure) throw failure;
  const written = inOrder(asArray(body.data).map(asObject)).map(({ embedding }) => embedding);
  return { vectors: readVectors(written, texts), promptTokens: readUsage(asObject(body.usage)) };
}

/** By their index, the wire's own word on it; as they came, where a host says 0 of each or nothing at all. */
function inOrder(items: readonly JsonObject[]): readonly JsonObject[] {
  if (items.every(({ index }) => (index ?? 0) === 0)) return items;
  const byPlace = new Map(items.map((item) => [item.index, item]));
  return items.map((_, place) => byPlace.get(place) ?? misplaced());
}

function misplaced(): never {
  throw new GatewayError('upstream_invalid_answer', 'The provider returned embeddings with invalid indexes.');
}

/** Voyage tells only the total, which is the same: nothing is written. */
function readUsage({ prompt_tokens: prompt, total_tokens: total }: JsonObject): number | undefined {
  const counted = asCount(prompt) || asCount(total);
  return counted === 0 ? undefined : counted;
}
