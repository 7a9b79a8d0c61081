/** The embeddings of a host that imitates the OpenAI wire. */
import { type EmbeddingDialect, hostDialect } from '../protocols/openai-embeddings/dialect.ts';
import { createOpenaiEmbeddings } from '../protocols/openai-embeddings/protocol.ts';
import { type EmbeddingRule, embeddingTraitRules } from './embedding-rules.ts';
import type { Embeddings } from './provider.ts';

export function compatibleEmbeddings(
  dialect: EmbeddingDialect = hostDialect,
  lacks: readonly EmbeddingRule[] = [],
): Embeddings {
  const protocol = createOpenaiEmbeddings(dialect);
  return { protocol: () => protocol, rules: [...embeddingTraitRules, ...lacks] };
}
