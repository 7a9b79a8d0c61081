/** What Cohere's own embeddings API and its models on Bedrock share. */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { EmbeddingRequest, InputType, Vector } from '../../core/generation/embedding.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type * as wire from '../embedding-wire.ts';
import { readVectors } from '../vectors.ts';

/** The maximum number of texts per call. */
export const cohereBatch = 96;

const inputTypes: Readonly<Record<InputType, string>> = {
  query: 'search_query',
  document: 'search_document',
};

export function encodeBody({ texts, parameters }: EmbeddingRequest): JsonObject {
  // The protocol requires an input type in every request.
  const { dimensions, input_type: type = 'document', ...others } = parameters;
  return {
    texts,
    input_type: inputTypes[type],
    embedding_types: ['float'],
    truncate: 'NONE',
    ...(dimensions !== undefined && { output_dimension: dimensions }),
    ...others,
  };
}

/** By type, or a list if the model has only one type. */
export function decodeVectors({ embeddings }: wire.CohereAnswer, texts: number): readonly Vector[] {
  return readVectors(
    asArray(Array.isArray(embeddings) ? embeddings : asObject<wire.CohereEmbeddings>(embeddings).float),
    texts,
  );
}
