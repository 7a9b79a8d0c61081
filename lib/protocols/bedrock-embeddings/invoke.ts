/** What the embedding models of Bedrock share: each has its own body, but all are sent and counted the same way. */
import type { EmbeddingProtocol } from '../../core/generation/embedding.ts';
import type { HttpResponse } from '../../core/ports/http.ts';
import { readFailure } from '../bedrock-converse/failure.ts';
import { withInternalNames } from '../failure.ts';
import { asCount } from '../json.ts';

const internalNames = {
  inputText: 'texts',
  output_dimension: 'dimensions',
  embeddingDimension: 'dimensions',
};

export const invoke: Pick<EmbeddingProtocol, 'path' | 'readFailure'> = {
  path: (upstreamId) => `/model/${encodeURIComponent(upstreamId)}/invoke`,
  readFailure: (failure) => withInternalNames(readFailure(failure), internalNames),
};

/** Undefined if the answer has no count. */
export function countedTokens(headers: HttpResponse['headers']): number | undefined {
  return asCount(Number(headers['x-amzn-bedrock-input-token-count'])) || undefined;
}
