/** Hosts that embed and do nothing else here. */
import { type EmbeddingDialect, jinaDialect, voyageDialect } from '../protocols/openai-embeddings/dialect.ts';
import { compatibleEmbeddings } from './compatible-embeddings.ts';
import { withoutUser } from './embedding-rules.ts';
import { bearer, hasKey, keyHeader, type Provider } from './provider.ts';

const embeddingHost = (name: string, baseUrl: string, dialect: EmbeddingDialect): Provider => ({
  name,
  baseUrl: () => baseUrl,
  isConfigured: hasKey,
  authorize: keyHeader('authorization', bearer),
  embeddings: compatibleEmbeddings(dialect, [withoutUser]),
});

export const voyage = embeddingHost('voyage', 'https://api.voyageai.com/v1', voyageDialect);
export const jina = embeddingHost('jina', 'https://api.jina.ai/v1', jinaDialect);
