/** The embeddings of a host that speaks the OpenAI embeddings protocol. */
import { type EmbeddingDialect, hostDialect } from '../protocols/openai-embeddings/dialect.ts';
import { createOpenaiEmbeddings } from '../protocols/openai-embeddings/protocol.ts';
import { type EmbeddingRule, embeddingTraitRules } from './embedding-rules.ts';
import type { Embeddings } from './provider.ts';

export function compatibleEmbeddings(
  dialect: EmbeddingDialect = hostDialect,
  hostRules: readonly EmbeddingRule[] = [],
): Embeddings {
  const protocol = createOpenaiEmbeddings(dialect);
  return { protocol: () => protocol, rules: [...embeddingTraitRules, ...hostRules] };
}
