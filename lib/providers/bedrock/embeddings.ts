/** The embeddings of Amazon Bedrock: a protocol for each family of models. */
import type { Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { EmbeddingProtocol } from '../../core/generation/embedding.ts';
import {
  bedrockCohereEmbeddings,
  novaEmbeddings,
  titanEmbeddings,
} from '../../protocols/bedrock-embeddings.ts';
import { embeddingsBy } from '../embedding-rules.ts';

function protocolOf({ model }: Target): EmbeddingProtocol {
  switch (model.traits.embedding?.protocol) {
    case 'titan':
      return titanEmbeddings;
    case 'nova':
      return novaEmbeddings;
    case 'cohere':
      return bedrockCohereEmbeddings;
    default:
      throw new GatewayError(
        'internal',
        `The catalog does not name the embedding protocol of '${model.id}' on Bedrock.`,
      );
  }
}

export const bedrockEmbeddings = embeddingsBy(protocolOf);
