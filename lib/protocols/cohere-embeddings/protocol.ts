/** Cohere's own embeddings API. */

import { asObject } from '../../core/formats/json-object.ts';
import type { EmbeddingProtocol } from '../../core/generation/embedding.ts';
import { readFailure } from '../cohere-chat/failure.ts';
import type * as wire from '../embedding-wire.ts';
import { withInternalNames } from '../failure.ts';
import { asCount } from '../json.ts';
import { cohereBatch, decodeVectors, encodeBody } from './body.ts';

const internalNames = { output_dimension: 'dimensions' };

export const cohereEmbeddings: EmbeddingProtocol = {
  batchSize: cohereBatch,
  path: () => '/embed',
  encode: (request, { deployment }) => ({ model: deployment.upstreamId, ...encodeBody(request) }),
  decode(body, _headers, texts) {
    const answer = asObject<wire.CohereAnswer>(body);
    const { billed_units: billed, tokens } = asObject<wire.CohereMeta>(answer.meta);
    const counted =
      asCount(asObject<wire.CohereTokens>(billed).input_tokens) ||
      asCount(asObject<wire.CohereTokens>(tokens).input_tokens);
    return { vectors: decodeVectors(answer, texts), promptTokens: counted || undefined };
  },
  readFailure: (failure) => withInternalNames(readFailure(failure), internalNames),
};
