/** Jina AI, which embeds and does nothing else here. */
import { jinaDialect } from '../../protocols/openai-embeddings/dialect.ts';
import { compatibleEmbeddings } from '../compatible-embeddings.ts';
import { withoutUser } from '../embedding-rules.ts';
import { bearer, hasKey, keyHeader, type Provider } from '../provider.ts';

export const jina: Provider = {
  name: 'jina',
  baseUrl: () => 'https://api.jina.ai/v1',
  isConfigured: hasKey,
  authorize: keyHeader('authorization', bearer),
  embeddings: compatibleEmbeddings(jinaDialect, [withoutUser]),
};
