/** LangChain's embeddings: documents in batches and a query, as used for retrieval. */
import { OpenAIEmbeddings } from '@langchain/openai';
import { expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { likeness } from '../../harness/matrix/embedders.ts';

const gateway = useGateway();

const documents = [
  'Paris is the capital of France.',
  'Cats sleep most of the day.',
  'Bread is made of flour and water.',
];

test.each([
  ['openai/text-embedding-3-large', undefined, 3072],
  ['openai/text-embedding-3-small', 512, 512],
  ['mistral/mistral-embed', undefined, 1024],
  ['amazon/titan-embed-text-v2', 256, 256],
])('%s finds the right document', async (model, dimensions, width) => {
  const embeddings = new OpenAIEmbeddings({
    model,
    apiKey: gateway().apiKey,
    configuration: { baseURL: `${gateway().url}/v1` },
    maxRetries: 0,
    batchSize: 2,
    ...(dimensions !== undefined && { dimensions }),
  });
  const stored = await embeddings.embedDocuments(documents);
  const asked = await embeddings.embedQuery('Which bread is made of water?');
  expect(stored.map((vector) => vector.length)).toEqual([width, width, width]);
  const ranks = stored.map((vector) => likeness(vector, asked));
  expect(ranks.indexOf(Math.max(...ranks))).toBe(2);
});
