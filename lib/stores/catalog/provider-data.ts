/**
 * What the operator says that providers do with what they are sent, in the catalog's table: one item, a map by provider, because a
 * request may need those of several providers. It is read once a minute, and only for requests that ask.
 */
import * as z from 'zod/mini';
import type { OwnData, ProviderData } from '../../core/catalog/provider-data.ts';
import { editItem } from '../access/edit-item.ts';
import { createCachedReader } from '../cached-reader.ts';
import { isAbsent, openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';

export interface ProviderDataStore {
  all(): Promise<OwnData>;
  /** Replaces what is said of a provider; null says nothing of it any more. Resolves with what was said before. */
  set(provider: string, data: ProviderData | null): Promise<ProviderData | undefined>;
}

const itemKey = 'data#providers';

const days = z.exactOptional(z.int().check(z.nonnegative()));

const itemSchema = z.object({
  providers: z.record(
    z.string(),
    z.object({
      retentionDays: days,
      flaggedDays: days,
      trains: z.exactOptional(z.boolean()),
      zdrFeatures: z.exactOptional(z.array(z.string())),
    }),
  ),
});

/** Throws for a malformed item: what a contract says must not be lost. */
const read = (item: StoredItem): OwnData => itemSchema.parse(item).providers;

export function createProviderDataStore(options: TableOptions): ProviderDataStore {
  const items = openTable(options);
  return {
    async all() {
      const item = await items.get(itemKey);
      return item ? read(item) : {};
    },
    async set(provider, data) {
      await items.put(itemKey, { providers: {} }, isAbsent);
      const edited = await editItem(items, itemKey, (item) => {
        const { [provider]: _, ...others } = read(item);
        return { providers: { ...others, ...(data && { [provider]: data }) } };
      });
      return edited && read(edited.before)[provider];
    },
  };
}

interface FindOptions {
  readonly store: Pick<ProviderDataStore, 'all'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

export function createFindProviderData({ store, now }: FindOptions): () => Promise<OwnData> {
  const find = createCachedReader({
    now,
    freshMs: 10_000,
    graceMs: 3_600_000,
    size: 1,
    load: () => store.all(),
  });
  return async () => (await find('all')) ?? {};
}
