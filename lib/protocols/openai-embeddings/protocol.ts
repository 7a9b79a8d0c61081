/** The OpenAI embeddings protocol, and the dialects of compatible hosts. */

import type { CreateEmbeddingResponse, Embedding } from 'openai/resources/embeddings';
import type { Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { asArray, asObject, type Wire } from '../../core/formats/json-object.ts';
import type {
  EmbeddingAnswer,
  EmbeddingParameters,
  EmbeddingProtocol,
  EmbeddingRequest,
} from '../../core/generation/embedding.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { withInternalNames } from '../failure.ts';
import { asCount } from '../json.ts';
import { readFailure, readReportedFailure } from '../openai-chat/failure.ts';
import { readVectors } from '../vectors.ts';
import type { EmbeddingDialect } from './dialect.ts';

/** By the types of OpenAI's SDK; the rest is of errors. */
type Answer = Wire<CreateEmbeddingResponse | { readonly error: unknown }>;
type Item = Wire<Embedding>;
type Usage = Wire<CreateEmbeddingResponse.Usage>;

export function createOpenaiEmbeddings(dialect: EmbeddingDialect): EmbeddingProtocol {
  const { names = {}, readFailure: readError = readFailure } = dialect;
  const internalNames = Object.fromEntries(Object.entries(names).map(([name, own]) => [own, name]));
  return {
    batchSize: dialect.batchSize,
    ...(dialect.maxBytes !== undefined && { maxBytes: dialect.maxBytes }),
    path: () => '/embeddings',
    encode: (request, target) => encode(request, target, dialect),
    decode: (body, _headers, texts) => decode(asObject<Answer>(body), texts),
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

function decode(body: Answer, texts: number): EmbeddingAnswer {
  const failure = readReportedFailure(body);
  if (failure) throw failure;
  const written = inOrder(asArray(body.data).map(asObject<Item>)).map(({ embedding }) => embedding);
  return { vectors: readVectors(written, texts), promptTokens: readUsage(asObject<Usage>(body.usage)) };
}

/** Ordered by index. If a host reports 0 for each or no index at all, the order of the list is used. */
function inOrder(items: readonly Item[]): readonly Item[] {
  if (items.every(({ index }) => (index ?? 0) === 0)) return items;
  const byIndex = new Map(items.map((item) => [item.index, item]));
  return items.map((_, index) => byIndex.get(index) ?? invalidIndex());
}

function invalidIndex(): never {
  throw new GatewayError('upstream_invalid_answer', 'The provider returned embeddings with invalid indexes.');
}

/** Voyage reports only the total, which is the same because there is no output. */
function readUsage({ prompt_tokens: prompt, total_tokens: total }: Usage): number | undefined {
  const counted = asCount(prompt) || asCount(total);
  return counted === 0 ? undefined : counted;
}
