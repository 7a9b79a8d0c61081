/** The embeddings of the Gemini API. */
import { googleEmbeddings as protocol } from '../../protocols/google-embeddings/protocol.ts';
import { embeddingTraitRules, withoutUser } from '../embedding-rules.ts';
import type { Embeddings } from '../provider.ts';

export const googleEmbeddings: Embeddings = {
  protocol: () => protocol,
  rules: [...embeddingTraitRules, withoutUser],
};
