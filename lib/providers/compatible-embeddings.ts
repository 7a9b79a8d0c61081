/** The embeddings of hosts that speak the OpenAI embeddings protocol, and the hosts that do nothing else here. */
import {
  createOpenaiEmbeddings,
  type EmbeddingDialect,
  hostDialect,
  jinaDialect,
  voyageDialect,
} from '../protocols/openai-embeddings.ts';
import { type EmbeddingRule, embeddingTraitRules, withoutUser } from './embedding-rules.ts';
import { bearer, type Embeddings, hasKey, keyHeader, type Provider } from './provider.ts';

export function compatibleEmbeddings(
  dialect: EmbeddingDialect = hostDialect,
  hostRules: readonly EmbeddingRule[] = [],
): Embeddings {
  const protocol = createOpenaiEmbeddings(dialect);
  return { protocol: () => protocol, rules: [...embeddingTraitRules, ...hostRules] };
}

const embeddingHost = (name: string, baseUrl: string, dialect: EmbeddingDialect): Provider => ({
  name,
  baseUrl: () => baseUrl,
  isConfigured: hasKey,
  authorize: keyHeader('authorization', bearer),
  embeddings: compatibleEmbeddings(dialect, [withoutUser]),
});

export const voyage = embeddingHost('voyage', 'https://api.voyageai.com/v1', voyageDialect);
export const jina = embeddingHost('jina', 'https://api.jina.ai/v1', jinaDialect);
