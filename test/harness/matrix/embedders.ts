/** One row for each provider with embeddings, for tests that apply to all of them. */

import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../../local/database-call.ts';
import { databaseEndpoint } from '../gateways/environment.ts';
import { addPinnedModels } from './pinned-models.ts';

interface EmbedderRow {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  /** A number that it gives instead, where it gives several. */
  readonly fewer?: number;
  /** Whether it distinguishes queries from documents. */
  readonly asymmetric: boolean;
  /** Whether the provider knows end users. */
  readonly takesUser: boolean;
  /** How many texts one call takes, where it is fewer than a request may have. */
  readonly perCall?: number;
}

const embedder = (
  provider: string,
  model: string,
  dimensions: number,
  more: Partial<EmbedderRow> = {},
): EmbedderRow => ({
  provider,
  model,
  dimensions,
  asymmetric: false,
  takesUser: provider === 'openai' || provider === 'azure',
  ...more,
});

export const embedderRows: readonly EmbedderRow[] = [
  embedder('openai', 'openai/text-embedding-3-small', 1536, { fewer: 256 }),
  embedder('openai', 'openai/text-embedding-ada-002', 1536),
  embedder('azure', 'openai/text-embedding-3-large:azure', 3072, { fewer: 1024 }),
  embedder('google', 'google/gemini-embedding-001', 3072, { fewer: 768, asymmetric: true, perCall: 100 }),
  embedder('google', 'google/gemini-embedding-2', 3072, { fewer: 128, asymmetric: true, perCall: 100 }),
  embedder('google-vertex', 'google/gemini-embedding-001:google-vertex', 3072, {
    fewer: 1536,
    asymmetric: true,
    perCall: 1,
  }),
  embedder('google-vertex', 'google/gemini-embedding-2:google-vertex', 3072, {
    fewer: 256,
    asymmetric: true,
    perCall: 1,
  }),
  embedder('cohere', 'cohere/embed-v4.0', 1536, { fewer: 512, asymmetric: true, perCall: 96 }),
  embedder('bedrock', 'cohere/embed-v4.0:bedrock', 1536, { fewer: 256, asymmetric: true, perCall: 96 }),
  embedder('bedrock', 'amazon/titan-embed-text-v2', 1024, { fewer: 256, perCall: 1 }),
  embedder('bedrock', 'amazon/nova-2-multimodal-embeddings', 3072, {
    fewer: 384,
    asymmetric: true,
    perCall: 1,
  }),
  embedder('voyage', 'voyage/voyage-4', 1024, { fewer: 2048, asymmetric: true }),
  embedder('jina', 'acme/jina-embeddings-v3', 1024, { fewer: 64, asymmetric: true }),
  embedder('mistral', 'mistral/mistral-embed', 1024),
  embedder('openrouter', 'qwen/qwen3-embedding-8b', 4096, { fewer: 1000, asymmetric: true, takesUser: true }),
  embedder('self-hosted', 'sionic-ai/comsat-embed-ko-8b-preview', 4096, {
    fewer: 2048,
    asymmetric: true,
    takesUser: true,
  }),
];

/** In no shipped catalog: its price is not known. */
const jina: TestEmbedder = {
  id: 'acme/jina-embeddings-v3',
  provider: 'jina',
  upstreamId: 'jina-embeddings-v3',
  embedding: { dimensions: { default: 1024, range: { min: 32, max: 1024 } }, inputTypes: 'field' },
};

/** Adds the models of the rows that are not in the catalog, or only as a second deployment. */
export async function addEmbedders(): Promise<void> {
  await addPinnedModels(...embedderRows.map(({ model }) => model));
  await putEmbedders([jina]);
}

/** The content of an embeddings answer. */
export interface EmbeddingsBody {
  readonly object: string;
  readonly data: readonly {
    readonly object: string;
    readonly index: number;
    readonly embedding: readonly number[];
  }[];
  readonly model: string;
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
  readonly debug?: {
    readonly normalizations?: readonly object[];
    readonly deprecations?: readonly object[];
    readonly routing?: readonly object[];
  };
  readonly error?: { readonly message: string; readonly param: string | null; readonly code: string | null };
}

/** How alike two vectors of length one are. */
export function likeness(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, number, index) => sum + number * (other[index] ?? 0), 0);
}

/** The numbers that base64 of 32-bit floats holds, read as an SDK does. */
export function floatsOf(base64: string): readonly number[] {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from(new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
}

/** A model of a test's own. */
export interface TestEmbedder {
  readonly id: string;
  readonly provider: string;
  readonly upstreamId: string;
  readonly embedding: object;
  readonly context?: number;
  readonly status?: string;
  readonly timeouts?: object;
}

/** Writes models into the catalog of the gateway that runs in this process. Call it when the gateway has started. */
export async function putEmbedders(embedders: readonly TestEmbedder[]): Promise<void> {
  const { call, close } = connectDatabase(databaseEndpoint());
  const store = createCatalogStore({ call, table: 'catalog' });
  for (const { id, provider, upstreamId, embedding, context = 8192, ...others } of embedders) {
    const region = provider === 'bedrock' ? 'us-east-1' : 'global';
    const row = {
      id,
      created: '2026-01-01',
      status: 'active',
      endpoints: ['embeddings'],
      modalities: { input: ['text'], output: ['embedding'] },
      limits: { context, input: null, output: null },
      traits: { embedding },
      price: { input: 1, output: 0 },
      deployments: [{ provider, region, upstreamId }],
      ...others,
    };
    await store.put(row, { source: 'operator' });
  }
  await close();
}
