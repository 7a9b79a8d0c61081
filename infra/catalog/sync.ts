/** Compares the seed with a catalog table, and writes the differences. */
import { isDeepStrictEqual } from 'node:util';
import { mapConcurrently } from '../../lib/async/map-concurrently.ts';
import type { Model } from '../../lib/core/catalog/model.ts';
import type { CatalogStore, StoredRow } from '../../lib/stores/catalog/catalog.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { batchSize } from './seed.ts';

/** `kept`: a row of the operator, which the seed does not overwrite. `left`: no longer in the seed. */
type SyncState = 'new' | 'changed' | 'same' | 'kept' | 'left';

interface SyncedRow {
  readonly id: string;
  readonly state: SyncState;
}

/** What a sync would do, ordered by id. */
export function compareWithSeed(
  seed: readonly unknown[],
  stored: readonly StoredRow[],
): readonly SyncedRow[] {
  const inTable = new Map(stored.map((row) => [row.id, row]));
  const inSeed = new Map(seed.map((row) => [readModelRow(row).id, row]));
  const left = stored.filter(({ id, source }) => source === 'seed' && !inSeed.has(id));
  return [
    ...[...inSeed].map(([id, row]) => ({ id, state: stateOf(row, inTable.get(id)) })),
    ...left.map(({ id }) => ({ id, state: 'left' as const })),
  ].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function stateOf(row: unknown, stored: StoredRow | undefined): SyncState {
  if (!stored) return 'new';
  if (stored.source === 'operator') return 'kept';
  return isDeepStrictEqual(row, stored.row) ? 'same' : 'changed';
}

/** Writes new and changed rows, and the names of all. Returns what was done with each row. */
export async function syncWithSeed(
  store: Pick<CatalogStore, 'list' | 'put' | 'names'>,
  seed: readonly unknown[],
): Promise<readonly SyncedRow[]> {
  const stored = await store.list();
  const plan = compareWithSeed(seed, stored);
  await store.names.putSeed(seed.map((row) => readModelRow(row)));
  // Rows that an operator wrote before the catalog had names get theirs.
  await store.names.add(stored.filter(({ source }) => source === 'operator').flatMap(readIfValid));
  const rows = new Map(seed.map((row) => [readModelRow(row).id, row]));
  return await mapConcurrently(plan, batchSize, async ({ id, state }) => {
    if (state !== 'new' && state !== 'changed') return { id, state };
    // An operator may have written a row meanwhile.
    const outcome = await store.put(rows.get(id), { source: 'seed' });
    return { id, state: outcome === 'kept' ? 'kept' : state };
  });
}

function readIfValid({ row }: StoredRow): readonly Model[] {
  try {
    return [readModelRow(row, 'ignore')];
  } catch {
    return [];
  }
}
