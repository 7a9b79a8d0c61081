/** The embeddings of Amazon Bedrock. Each family of models has its own body, but all are sent and counted the same way. */

import { asArray, asObject } from '../core/formats/json-object.ts';
import type { EmbeddingProtocol, EmbeddingRequest, InputType } from '../core/generation/embedding.ts';
import type { JsonObject } from '../core/generation/request.ts';
import type { HttpResponse } from '../core/ports/http.ts';
import { readFailure } from './bedrock-converse/failure.ts';
import { cohereBatch, decodeVectors, encodeBody } from './cohere-embeddings/body.ts';
import type * as wire from './embedding-wire.ts';
import { withInternalNames } from './failure.ts';
import { asCount } from './json.ts';
import { readVectors } from './vectors.ts';

const internalNames = {
  inputText: 'texts',
  output_dimension: 'dimensions',
  embeddingDimension: 'dimensions',
};

const invoke: Pick<EmbeddingProtocol, 'path' | 'readFailure'> = {
  path: (upstreamId) => `/model/${encodeURIComponent(upstreamId)}/invoke`,
  readFailure: (failure) => withInternalNames(readFailure(failure), internalNames),
};

/** Undefined if the answer has no count. */
function countedTokens(headers: HttpResponse['headers']): number | undefined {
  return asCount(Number(headers['x-amzn-bedrock-input-token-count'])) || undefined;
}

export const bedrockCohereEmbeddings: EmbeddingProtocol = {
  ...invoke,
  batchSize: cohereBatch,
  encode: encodeBody,
  decode: (body, headers, texts) => ({
    vectors: decodeVectors(asObject<wire.CohereAnswer>(body), texts),
    promptTokens: countedTokens(headers),
  }),
};

const purposes: Readonly<Record<InputType, string>> = {
  query: 'GENERIC_RETRIEVAL',
  document: 'GENERIC_INDEX',
};

export const novaEmbeddings: EmbeddingProtocol = {
  ...invoke,
  batchSize: 1,
  encode: encodeNova,
  decode(body, headers, texts) {
    const [first] = asArray(asObject<wire.NovaAnswer>(body).embeddings);
    return {
      vectors: readVectors([asObject<wire.NovaEmbedding>(first).embedding], texts),
      promptTokens: countedTokens(headers),
    };
  },
};

function encodeNova({ texts: [value = ''], parameters }: EmbeddingRequest): JsonObject {
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

export const titanEmbeddings: EmbeddingProtocol = {
  ...invoke,
  batchSize: 1,
  encode: ({ texts: [inputText = ''], parameters }) => ({ inputText, normalize: true, ...parameters }),
  decode(body, headers, texts) {
    const { embedding, inputTextTokenCount } = asObject<wire.TitanAnswer>(body);
    const promptTokens = asCount(inputTextTokenCount) || countedTokens(headers);
    return { vectors: readVectors([embedding], texts), promptTokens };
  },
};
