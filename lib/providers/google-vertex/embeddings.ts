/** The embeddings of Vertex: two protocols, by the model. */
import { vertexEmbedContent } from '../../protocols/vertex-embeddings/embed-content.ts';
import { vertexPredict } from '../../protocols/vertex-embeddings/predict.ts';
import { embeddingTraitRules, withoutUser } from '../embedding-rules.ts';
import type { Embeddings } from '../provider.ts';

export const vertexEmbeddings: Embeddings = {
  protocol: ({ model }) =>
    model.traits.embedding?.protocol === 'embed-content' ? vertexEmbedContent : vertexPredict,
  rules: [...embeddingTraitRules, withoutUser],
};
