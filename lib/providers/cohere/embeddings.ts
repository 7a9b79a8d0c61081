/** The embeddings of Cohere's own API. */
import { cohereEmbeddings as protocol } from '../../protocols/cohere-embeddings/protocol.ts';
import { embeddingTraitRules, withoutUser } from '../embedding-rules.ts';
import type { Embeddings } from '../provider.ts';

export const cohereEmbeddings: Embeddings = {
  protocol: () => protocol,
  rules: [...embeddingTraitRules, withoutUser],
};
