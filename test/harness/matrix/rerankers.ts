/** One row for each provider that reranks, for tests that apply to all of them. */
import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../../local/database-call.ts';
import { databaseEndpoint } from '../gateways/environment.ts';
import { addPinnedModels } from './pinned-models.ts';

interface RerankerRow {
  readonly provider: string;
  readonly model: string;
  /** What the price is for, and whether the provider counts it. */
  readonly unit: 'tokens' | 'search units';
  readonly counts: boolean;
}

const reranker = (
  provider: string,
  model: string,
  unit: RerankerRow['unit'],
  counts = true,
): RerankerRow => ({
  provider,
  model,
  unit,
  counts,
});

export const rerankerRows: readonly RerankerRow[] = [
  reranker('cohere', 'cohere/rerank-v4.0-fast', 'search units'),
  reranker('cohere', 'cohere/rerank-v5.0-pro', 'tokens'),
  reranker('azure-cohere', 'cohere/rerank-v4.0-pro:azure-cohere', 'search units'),
  reranker('bedrock', 'cohere/rerank-v3.5:bedrock', 'search units', false),
  reranker('bedrock', 'amazon/rerank-v1', 'search units', false),
  reranker('google-vertex-ranking', 'google/semantic-ranker-default-004', 'search units'),
  reranker('voyage', 'voyage/rerank-3', 'tokens'),
  reranker('jina', 'jina/jina-reranker-v2-base-multilingual', 'tokens'),
  reranker('fireworks', 'qwen/qwen3-reranker-8b', 'tokens'),
  reranker('together', 'acme/together-reranker', 'tokens'),
  reranker('openrouter', 'acme/openrouter-reranker', 'search units'),
  reranker('self-hosted', 'acme/self-hosted-reranker', 'tokens'),
];

/** A row of the operator with one deployment that reranks. */
const rerankModel = (id: string, provider: string, price: object): object => ({
  id,
  created: '2026-01-01',
  status: 'active',
  endpoints: ['rerank'],
  modalities: { input: ['text'], output: ['rerank'] },
  limits: { context: null, input: null, output: null },
  traits: {},
  price,
  deployments: [{ provider, region: 'global', upstreamId: id }],
});

const tokens = { input: 0.1, output: 0 };
const units = { input: 0, output: 0, searchUnit: 2 };

/** Adds the models of the rows that are in no shipped catalog, or are only a second deployment there, and `more`. */
export async function addRerankers(...more: readonly object[]): Promise<void> {
  await addPinnedModels(...rerankerRows.map(({ model }) => model));
  const { call, close } = connectDatabase(databaseEndpoint());
  const store = createCatalogStore({ call, table: 'catalog' });
  const own = [
    rerankModel('acme/together-reranker', 'together', tokens),
    rerankModel('acme/openrouter-reranker', 'openrouter', units),
    rerankModel('acme/self-hosted-reranker', 'self-hosted', tokens),
  ];
  for (const row of [...own, ...more]) await store.put(row, { source: 'operator' });
  await close();
}

export interface RankingBody {
  readonly id: string;
  readonly model: string;
  readonly results: readonly {
    readonly index: number;
    readonly relevance_score: number;
    readonly document?: { readonly text: string };
  }[];
  readonly meta: {
    readonly billed_units: { readonly search_units?: number; readonly input_tokens?: number };
  };
  readonly usage: { readonly total_tokens?: number; readonly search_units?: number; readonly cost?: number };
  readonly debug?: { readonly normalizations?: readonly object[]; readonly routing?: readonly object[] };
  readonly message?: string;
  readonly error?: { readonly message: string; readonly param: string | null; readonly code: string | null };
}
