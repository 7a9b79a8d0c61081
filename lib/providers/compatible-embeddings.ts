/** The embeddings of hosts that speak the OpenAI embeddings protocol, and the hosts that embed and rerank, and do nothing else here. */
import {
  createOpenaiEmbeddings,
  type EmbeddingDialect,
  hostDialect,
  jinaDialect,
  voyageDialect,
} from '../protocols/openai-embeddings.ts';
import { jinaRerank, voyageRerank } from '../protocols/rerank.ts';
import { type EmbeddingRule, embeddingTraitRules, withoutUser } from './embedding-rules.ts';
import { bearer, type Embeddings, hasKey, keyHeader, type Provider, type Rerank } from './provider.ts';
import { rerankBy } from './rerank-rules.ts';

export function compatibleEmbeddings(
  dialect: EmbeddingDialect = hostDialect,
  hostRules: readonly EmbeddingRule[] = [],
): Embeddings {
  const protocol = createOpenaiEmbeddings(dialect);
  return { protocol: () => protocol, rules: [...embeddingTraitRules, ...hostRules] };
}

const embeddingHost = (
  name: string,
  baseUrl: string,
  dialect: EmbeddingDialect,
  rerank: Rerank,
): Provider => ({
  name,
  baseUrl: () => baseUrl,
  isConfigured: hasKey,
  authorize: keyHeader('authorization', bearer),
  embeddings: compatibleEmbeddings(dialect, [withoutUser]),
  rerank,
});

export const voyage = embeddingHost(
  'voyage',
  'https://api.voyageai.com/v1',
  voyageDialect,
  rerankBy(voyageRerank, 'truncation'),
);
export const jina = embeddingHost('jina', 'https://api.jina.ai/v1', jinaDialect, rerankBy(jinaRerank));
