/** Cohere's embeddings on Bedrock. */

import { asObject } from '../../core/formats/json-object.ts';
import type { EmbeddingProtocol } from '../../core/generation/embedding.ts';
import { cohereBatch, decodeVectors, encodeBody } from '../cohere-embeddings/body.ts';
import type { CohereAnswer } from '../embedding-wire.ts';
import { countedTokens, invoke } from './invoke.ts';

export const bedrockCohereEmbeddings: EmbeddingProtocol = {
  ...invoke,
  batchSize: cohereBatch,
  encode: encodeBody,
  decode: (body, headers, texts) => ({
    vectors: decodeVectors(asObject<CohereAnswer>(body), texts),
    promptTokens: countedTokens(headers),
  }),
};
