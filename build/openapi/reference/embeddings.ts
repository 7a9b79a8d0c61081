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
    summary: 'Turns texts into vectors.',
    schema: embeddingsSchema,
    fields: embeddingsFields,
    components: embeddingsComponents,
    request: 'EmbeddingsRequest',
    answer: 'Embeddings',
  },
  moderations: {
    tag: 'Moderations',
    title: 'Classify texts and images',
    summary:
      'Says of each input whether it is harmful, and in which way. The categories are those of the model that answers.',
    schema: moderationsSchema,
    fields: moderationsFields,
    components: extraComponent,
    request: 'ModerationsRequest',
    answer: 'Moderations',
  },
  rerank: {
    tag: 'Rerank',
    title: 'Rank documents',
    summary:
      'Orders documents by how relevant they are for a query, the best first. Also at `/v2/rerank`, where the clients of Cohere send it. The scores of two models cannot be compared: `model` says whose they are.',
    schema: rerankSchema,
    fields: rerankFields,
    components: extraComponent,
    request: 'RerankRequest',
    answer: 'Ranking',
  },
} satisfies OperationReferences;
