/** The reference of the operations for embeddings, moderations and reranking. */
import { embeddingsSchema } from '../../../lib/operations/embeddings/schema.ts';
import { moderationsSchema } from '../../../lib/operations/moderations/schema.ts';
import { rerankSchema } from '../../../lib/operations/rerank/schema.ts';
import {
  embeddingsComponents,
  embeddingsFields,
  extraComponent,
  moderationsFields,
  rerankFields,
} from '../fields/others.ts';
import type { OperationReferences } from '../operation-reference.ts';

export const embeddingsReference = {
  embeddings: {
    tag: 'Embeddings',
    title: 'Create embeddings',
    summary: 'Creates an embedding vector for each input.',
    schema: embeddingsSchema,
    fields: embeddingsFields,
    components: embeddingsComponents,
    request: 'EmbeddingsRequest',
    answer: 'Embeddings',
  },
  moderations: {
    tag: 'Moderations',
    title: 'Create a moderation',
    summary:
      'Classifies whether each input, text or image, is potentially harmful, and in which categories. The categories are those of the model that answers.',
    schema: moderationsSchema,
    fields: moderationsFields,
    components: extraComponent,
    request: 'ModerationsRequest',
    answer: 'Moderations',
  },
  rerank: {
    tag: 'Rerank',
    title: 'Rerank documents',
    summary:
      'Orders documents by their relevance to a query, the most relevant first. Also at `/v2/rerank`, which the clients of Cohere use. Relevance scores of different models cannot be compared: `model` is the one that scored.',
    schema: rerankSchema,
    fields: rerankFields,
    components: extraComponent,
    request: 'RerankRequest',
    answer: 'Ranking',
  },
} satisfies OperationReferences;
