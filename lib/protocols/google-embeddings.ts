/** The embeddings of Google's APIs. */

import type { Target } from '../core/catalog/model.ts';
import type { GatewayError } from '../core/errors/errors.ts';
import { asArray, asObject } from '../core/formats/json-object.ts';
import type {
  EmbeddingProtocol,
  EmbeddingRequest,
  InputType,
  TokenCounting,
} from '../core/generation/embedding.ts';
import type { UpstreamFailure } from '../core/generation/original/protocol.ts';
import type { JsonObject } from '../core/generation/request.ts';
import type * as wire from './embedding-wire.ts';
import { withInternalNames } from './failure.ts';
import { readFailure as readGenerationFailure } from './google-generate-content/failure.ts';
import { asCount } from './json.ts';
import { readVectors } from './vectors.ts';

const internalNames = {
  content: 'texts',
  outputDimensionality: 'dimensions',
  output_dimensionality: 'dimensions',
  taskType: 'input_type',
  task_type: 'input_type',
};

function readFailure(failure: UpstreamFailure): GatewayError {
  return withInternalNames(readGenerationFailure(failure), internalNames);
}

const taskTypes: Readonly<Record<InputType, string>> = {
  query: 'RETRIEVAL_QUERY',
  document: 'RETRIEVAL_DOCUMENT',
};

const pathOf = (upstreamId: string, action: string) => `/models/${encodeURIComponent(upstreamId)}:${action}`;

const contentOf = (text: string) => ({ parts: [{ text }] });

/** The answer has no token counts, and the API truncates long texts silently: the tokens are counted with a call of their own. */
const counting: TokenCounting = {
  path: (upstreamId) => pathOf(upstreamId, 'countTokens'),
  encode: (texts) => ({ contents: texts.map(contentOf) }),
  decode: (body) => asCount(asObject<wire.GoogleAnswer>(body).totalTokens) || undefined,
};

/** Of the Gemini API. */
export const googleEmbeddings: EmbeddingProtocol = {
  batchSize: 100,
  path: (upstreamId) => pathOf(upstreamId, 'batchEmbedContents'),
  encode,
  decode(body, _headers, texts) {
    const { embeddings, usageMetadata } = asObject<wire.GoogleAnswer>(body);
    const written = asArray(embeddings).map((embedding) => asObject<wire.GoogleEmbedding>(embedding).values);
    const promptTokens = asCount(asObject<wire.GoogleUsage>(usageMetadata).promptTokenCount) || undefined;
    return { vectors: readVectors(written, texts), promptTokens };
  },
  counting,
  readFailure,
};

function encode({ texts, parameters }: EmbeddingRequest, { deployment }: Target): JsonObject {
  const { dimensions, input_type: type, ...others } = parameters;
  const settings = {
    ...(type !== undefined && { taskType: taskTypes[type] }),
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    ...others,
  };
  const model = `models/${deployment.upstreamId}`;
  return { requests: texts.map((text) => ({ model, content: contentOf(text), ...settings })) };
}

/** Of Vertex, for models up to the first Gemini embedding model: the predict method. */
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

/** Of Vertex, for newer models: one content per call. */
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
