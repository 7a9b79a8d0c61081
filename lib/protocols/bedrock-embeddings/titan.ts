/** Amazon Titan's embeddings on Bedrock: one text per call. */

import { asObject } from '../../core/formats/json-object.ts';
import type { EmbeddingProtocol, EmbeddingRequest } from '../../core/generation/embedding.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type * as wire from '../embedding-wire.ts';
import { asCount } from '../json.ts';
import { readVectors } from '../vectors.ts';
import { countedTokens, invoke } from './invoke.ts';

export const titanEmbeddings: EmbeddingProtocol = {
  ...invoke,
  batchSize: 1,
  encode: ({ texts: [inputText = ''], parameters }: EmbeddingRequest): JsonObject => ({
    inputText,
    normalize: true,
    ...parameters,
  }),
  decode(body, headers, texts) {
    const { embedding, inputTextTokenCount } = asObject<wire.TitanAnswer>(body);
    const promptTokens = asCount(inputTextTokenCount) || countedTokens(headers);
    return { vectors: readVectors([embedding], texts), promptTokens };
  },
};
