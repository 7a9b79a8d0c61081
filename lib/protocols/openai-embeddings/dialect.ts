/** The differences between hosts of the OpenAI embeddings protocol, as data. */

import type { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { EmbeddingParameters, InputType } from '../../core/generation/embedding.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { upstreamError } from '../failure.ts';
import { asText } from '../json.ts';
import { readFailure } from '../openai-chat/failure.ts';
import { beginsWith } from '../own-words.ts';

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
