/** The embeddings of Vertex. */

import { asArray, asObject } from '../core/formats/json-object.ts';
import type { EmbeddingProtocol, EmbeddingRequest } from '../core/generation/embedding.ts';
import type { JsonObject } from '../core/generation/request.ts';
import type * as wire from './embedding-wire.ts';
import { readFailure, taskTypes } from './google-embeddings/protocol.ts';
import { asCount } from './json.ts';
import { readVectors } from './vectors.ts';

/** For models up to the first Gemini embedding model: the predict method. */
export const vertexPredict: EmbeddingProtocol = {
  // Older models accept 250 texts; the Gemini model accepts one, unless the catalog row has a larger `batchSize`.
  batchSize: 1,
  path: (upstreamId) => `/publishers/google/models/${encodeURIComponent(upstreamId)}:predict`,
  encode: encodeInstances,
  decode(body, _headers, texts) {
    const found = asArray(asObject<wire.Predictions>(body).predictions).map((one) =>
      asObject<wire.GoogleEmbedding>(asObject<wire.Prediction>(one).embeddings),
    );
    const counts = found.map(({ statistics }) => asCount(asObject<wire.Statistics>(statistics).token_count));
    const promptTokens = counts.reduce((sum, count) => sum + count, 0);
    const vectors = readVectors(
      found.map(({ values }) => values),
      texts,
    );
    return { vectors, promptTokens: counts.includes(0) ? undefined : promptTokens };
  },
  readFailure,
};

function encodeInstances({ texts, parameters }: EmbeddingRequest): JsonObject {
  const { dimensions, input_type: type, ...others } = parameters;
  const task = type === undefined ? {} : { task_type: taskTypes[type] };
  return {
    instances: texts.map((content) => ({ content, ...task })),
    parameters: {
      autoTruncate: false,
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      ...others,
    },
  };
}

/** For newer models: one content per call. */
export const vertexEmbedContent: EmbeddingProtocol = {
  batchSize: 1,
  path: (upstreamId) => `/publishers/google/models/${encodeURIComponent(upstreamId)}:embedContent`,
  encode: encodeContent,
  decode(body, _headers, texts) {
    const { embedding, usageMetadata } = asObject<wire.GoogleAnswer>(body);
    const promptTokens = asCount(asObject<wire.GoogleUsage>(usageMetadata).promptTokenCount) || undefined;
    return { vectors: readVectors([asObject<wire.GoogleEmbedding>(embedding).values], texts), promptTokens };
  },
  readFailure,
};

function encodeContent({ texts: [text = ''], parameters }: EmbeddingRequest): JsonObject {
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
