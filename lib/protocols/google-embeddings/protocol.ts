/**
 * The embeddings of the Gemini API. Its answer has no token counts, and the API truncates long texts silently, so the tokens
 * are counted with a separate call.
 */

import type { Target } from '../../core/catalog/model.ts';
import type { GatewayError } from '../../core/errors/errors.ts';
import { asArray, asObject } from '../../core/formats/json-object.ts';
import type {
  EmbeddingProtocol,
  EmbeddingRequest,
  InputType,
  TokenCounting,
} from '../../core/generation/embedding.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type * as wire from '../embedding-wire.ts';
import { withInternalNames } from '../failure.ts';
import { readFailure as readGenerationFailure } from '../google-generate-content/failure.ts';
import { asCount } from '../json.ts';
import { readVectors } from '../vectors.ts';

const internalNames = {
  content: 'texts',
  outputDimensionality: 'dimensions',
  output_dimensionality: 'dimensions',
  taskType: 'input_type',
  task_type: 'input_type',
};

export function readFailure(failure: UpstreamFailure): GatewayError {
  return withInternalNames(readGenerationFailure(failure), internalNames);
}

export const taskTypes: Readonly<Record<InputType, string>> = {
  query: 'RETRIEVAL_QUERY',
  document: 'RETRIEVAL_DOCUMENT',
};

const pathOf = (upstreamId: string, action: string) => `/models/${encodeURIComponent(upstreamId)}:${action}`;

const contentOf = (text: string) => ({ parts: [{ text }] });

const counting: TokenCounting = {
  path: (upstreamId) => pathOf(upstreamId, 'countTokens'),
  encode: (texts) => ({ contents: texts.map(contentOf) }),
  decode: (body) => asCount(asObject<wire.GoogleAnswer>(body).totalTokens) || undefined,
};

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
