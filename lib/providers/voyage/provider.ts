/** Voyage AI, which embeds and does nothing else here. */
import { voyageDialect } from '../../protocols/openai-embeddings/dialect.ts';
import { compatibleEmbeddings } from '../compatible-embeddings.ts';
import { withoutUser } from '../embedding-rules.ts';
import { bearer, hasKey, keyHeader, type Provider } from '../provider.ts';

export const voyage: Provider = {
  name: 'voyage',
  baseUrl: () => 'https://api.voyageai.com/v1',
  isConfigured: hasKey,
  authorize: keyHeader('authorization', bearer),
  embeddings: compatibleEmbeddings(voyageDialect, [withoutUser]),
};
