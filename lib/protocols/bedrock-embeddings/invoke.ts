/** What the embedding models of Bedrock share: bodies differ; path, errors and token counts do not. */
import type { EmbeddingProtocol } from '../../core/generation/embedding.ts';
import type { HttpResponse } from '../../core/ports.ts';
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

/** Undefined where the answer does not count. */
export function countedTokens(headers: HttpResponse['headers']): number | undefined {
  return asCount(Number(headers['x-amzn-bedrock-input-token-count'])) || undefined;
}
