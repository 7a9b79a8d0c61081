/** The embeddings of Vertex for newer models: one content per call. */

import { asObject } from '../../core/formats/json-object.ts';
import type { EmbeddingProtocol, EmbeddingRequest } from '../../core/generation/embedding.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type * as wire from '../embedding-wire.ts';
import { readFailure } from '../google-embeddings/failure.ts';
import { taskTypes } from '../google-embeddings/protocol.ts';
import { asCount } from '../json.ts';
import { readVectors } from '../vectors.ts';

export const vertexEmbedContent: EmbeddingProtocol = {
  batchSize: 1,
  path: (upstreamId) => `/publishers/google/models/${encodeURIComponent(upstreamId)}:embedContent`,
  encode,
  decode(body, _headers, texts) {
    const { embedding, usageMetadata } = asObject<wire.GoogleAnswer>(body);
    const promptTokens = asCount(asObject<wire.GoogleUsage>(usageMetadata).promptTokenCount) || undefined;
    return { vectors: readVectors([asObject<wire.GoogleEmbedding>(embedding).values], texts), promptTokens };
  },
  readFailure,
};

function encode({ texts: [text = ''], parameters }: EmbeddingRequest): JsonObject {
  const { dimensions, input_type: type, ...others } = parameters;
  return {
    content: { parts: [{ text }] },
    embedContentConfig: {
      autoTruncate: false,
      ...(type !== undefined && { taskType: taskTypes[type] }),
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    },
    ...others,
  };
}
