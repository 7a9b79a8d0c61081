/**
 * The models that ship with the gateway, and how they are written to a catalog table. The data is in `<owner>.json` next to
 * this file, one object for each model; `lib/stores/catalog/model-row.ts` defines the fields.
 */
import { mapConcurrently } from '../../lib/async/map-concurrently.ts';
import type { Model } from '../../lib/core/catalog/model.ts';
import type { CatalogStore, StoredRow } from '../../lib/stores/catalog/catalog.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { digestOf } from '../../lib/stores/catalog/row-digest.ts';
import alibaba from './alibaba.json' with { type: 'json' };
import amazon from './amazon.json' with { type: 'json' };
import anthropic from './anthropic.json' with { type: 'json' };
import canopylabs from './canopylabs.json' with { type: 'json' };
import cohere from './cohere.json' with { type: 'json' };
import deepseek from './deepseek.json' with { type: 'json' };
import google from './google.json' with { type: 'json' };
import jina from './jina.json' with { type: 'json' };
import meta from './meta.json' with { type: 'json' };
import minimax from './minimax.json' with { type: 'json' };
import mistral from './mistral.json' with { type: 'json' };
import moonshotai from './moonshotai.json' with { type: 'json' };
import openai from './openai.json' with { type: 'json' };
import perplexity from './perplexity.json' with { type: 'json' };
import qwen from './qwen.json' with { type: 'json' };
import sionicAi from './sionic-ai.json' with { type: 'json' };
import voyage from './voyage.json' with { type: 'json' };
import xai from './xai.json' with { type: 'json' };
import zai from './zai.json' with { type: 'json' };

/** The rows of each owner, unparsed. */
export const seedRowsByOwner: Readonly<Record<string, readonly unknown[]>> = {
  alibaba,
  amazon,
  anthropic,
  canopylabs,
  cohere,
  deepseek,
  google,
  jina,
  meta,
  minimax,
  mistral,
  moonshotai,
  openai,
  perplexity,
  qwen,
  'sionic-ai': sionicAi,
  voyage,
  xai,
  zai,
};

export const seedRows: readonly unknown[] = Object.values(seedRowsByOwner).flat();

/** How many rows are written concurrently. */
export const batchSize = 10;

let models: readonly Model[] | undefined;

/** The rows, parsed once in a process. */
const seedModels = (): readonly Model[] => {
  models ??= seedRows.map((row) => readModelRow(row));
  return models;
};

/**
 * Writes every row and their names, except rows that an operator has written, and those that `stored` has already. Safe to
 * repeat. Rejects for a malformed row.
 */
export async function seedCatalog(
  store: Pick<CatalogStore, 'put' | 'names'>,
  stored: readonly StoredRow[] = [],
): Promise<{ readonly written: number; readonly kept: number }> {
  const digests = new Set(stored.filter(({ source }) => source === 'seed').map(({ digest }) => digest));
  const changed = seedRows.filter((row) => !digests.has(digestOf(row)));
  const outcomes = await mapConcurrently(changed, batchSize, (row) => store.put(row, { source: 'seed' }));
  await store.names.putSeed(seedModels());
  const written = outcomes.filter((outcome) => outcome === 'written').length;
  return { written, kept: seedRows.length - written };
}
