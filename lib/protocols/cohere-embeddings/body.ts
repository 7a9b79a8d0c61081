/** What Cohere's own API and its models on Bedrock share of the embeddings wire. */
import type { EmbeddingRequest, InputType, Vector } from '../../core/generation/embedding.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { asArray, asObject } from '../json.ts';
import { readVectors } from '../vectors.ts';

/** Texts of one call. */
export const cohereBatch = 96;

const inputTypes: Readonly<Record<InputType, string>> = {
  query: 'search_query',
  document: 'search_document',
};

export function encodeBody({ texts, parameters }: EmbeddingRequest): JsonObject {
  // The wire wants a type in every request.
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

/** By type, or a list where the model knows only one type. */
export function decodeVectors({ embeddings }: JsonObject, texts: number): readonly Vector[] {
  return readVectors(asArray(Array.isArray(embeddings) ? embeddings : asObject(embeddings).float), texts);
}
