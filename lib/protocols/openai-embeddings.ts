/** The OpenAI embeddings protocol, and the differences between its hosts, as data. */

import type { CreateEmbeddingResponse, Embedding } from 'openai/resources/embeddings';
import type { Target } from '../core/catalog/model.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { asArray, asObject, type Wire } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import type {
  EmbeddingAnswer,
  EmbeddingParameters,
  EmbeddingProtocol,
  EmbeddingRequest,
  InputType,
} from '../core/generation/embedding.ts';
import type { UpstreamFailure } from '../core/generation/original/protocol.ts';
import type { JsonObject } from '../core/generation/request.ts';
import { beginsWith, upstreamError, withInternalNames } from './failure.ts';
import { asCount, asText } from './json.ts';
import { readFailure, refuseReported } from './openai-chat/failure.ts';
import { readVectors } from './vectors.ts';

/** The names of models come from the catalog. */
const noModel = /^model \S{1,200} is not supported/i;
const tooLong =
  /^(?:request to model \S{1,200} failed\. )?(?:[\w ,.()-]|'s\b){0,80}\b(?:max allowed tokens|maximum (?:context|input|sequence) length)/i;

/** It returns 400 for an unknown model too. */
export function readVoyageFailure(failure: UpstreamFailure): GatewayError {
  const detail = asText(asObject(parseJson(failure.body)).detail);
  if (failure.status === 400 && beginsWith(detail, noModel)) {
    return upstreamError('upstream_model_missing', { upstreamStatus: 400 });
  }
  if (failure.status === 400 && beginsWith(detail, tooLong)) {
    return upstreamError('upstream_context_length', { providerMessage: detail, upstreamStatus: 400 });
  }
  return readFailure(failure);
}

export interface EmbeddingDialect {
  /** The maximum number of texts per call. */
  readonly batchSize: number;
  /** See EmbeddingProtocol. */
  readonly maxBytes?: number;
  /** The host's names of parameters. */
  readonly names?: Readonly<Partial<Record<keyof EmbeddingParameters, string>>>;
  /** The host's names of query and document. */
  readonly inputTypes?: Readonly<Record<InputType, string>>;
  /** Fields that every request has. */
  readonly always?: JsonObject;
  /** What an error status means, if the host has its own way to report it. */
  readonly readFailure?: (failure: UpstreamFailure) => GatewayError;
}

/** Exact for 32-bit floats, and a third of the length of numbers. */
const asBase64 = { encoding_format: 'base64' };

export const openaiDialect: EmbeddingDialect = { batchSize: 2048, maxBytes: 300_000, always: asBase64 };

/** Compatible hosts return numbers; not every host supports another form. */
export const hostDialect: EmbeddingDialect = { batchSize: 128, always: { encoding_format: 'float' } };

export const voyageDialect: EmbeddingDialect = {
  batchSize: 1000,
  maxBytes: 120_000,
  names: { dimensions: 'output_dimension' },
  always: { ...asBase64, truncation: false },
  readFailure: readVoyageFailure,
};

export const jinaDialect: EmbeddingDialect = {
  batchSize: 512,
  names: { input_type: 'task' },
  inputTypes: { query: 'retrieval.query', document: 'retrieval.passage' },
  always: { embedding_type: 'float', normalized: true, truncate: false },
};

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
  refuseReported(body);
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
