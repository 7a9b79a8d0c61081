/** Amazon Nova's embeddings on Bedrock: one text per call. */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { EmbeddingProtocol, EmbeddingRequest, InputType } from '../../core/generation/embedding.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type * as wire from '../embedding-wire.ts';
import { readVectors } from '../vectors.ts';
import { countedTokens, invoke } from './invoke.ts';

const purposes: Readonly<Record<InputType, string>> = {
  query: 'GENERIC_RETRIEVAL',
  document: 'GENERIC_INDEX',
};

export const novaEmbeddings: EmbeddingProtocol = {
  ...invoke,
  batchSize: 1,
  encode,
  decode(body, headers, texts) {
    const [first] = asArray(asObject<wire.NovaAnswer>(body).embeddings);
    return {
      vectors: readVectors([asObject<wire.NovaEmbedding>(first).embedding], texts),
      promptTokens: countedTokens(headers),
    };
  },
};

function encode({ texts: [value = ''], parameters }: EmbeddingRequest): JsonObject {
  // The protocol requires a purpose in every request.
  const { dimensions, input_type: type = 'document', ...others } = parameters;
  return {
    taskType: 'SINGLE_EMBEDDING',
    singleEmbeddingParams: {
      embeddingPurpose: purposes[type],
      text: { truncationMode: 'NONE', value },
      ...(dimensions !== undefined && { embeddingDimension: dimensions }),
      ...others,
    },
  };
}
