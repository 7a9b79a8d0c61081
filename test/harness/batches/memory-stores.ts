/** Stores of files and batches in memory, for tests of what is done with them. */
import {
  type Batch,
  type BatchContract,
  type BatchListing,
  type BatchStore,
  endedStatuses,
  type NewBatch,
} from '../../../lib/core/batches.ts';
import type { ByteStore, FileStore, StoredFile } from '../../../lib/core/files.ts';

const prefixes: Readonly<Record<BatchContract, string>> = { openai: 'batch_', anthropic: 'msgbatch_' };

const counts = { total: 0, completed: 0, failed: 0, cancelled: 0, expired: 0 };

const begun = (batch: NewBatch): Batch => ({
  ...batch,
  status: 'validating',
  times: { validating: batch.createdAt },
  counts,
  plan: [],
  jobs: 0,
  nextAt: 0,
  version: 0,
});

export function memoryBatches(): BatchStore {
  const all = new Map<string, Batch>();
  const creations = new Map<string, string>();
  const nameOf = ({ tenant, id }: Pick<Batch, 'tenant' | 'id'>) => `${tenant} ${id}`;
  const isOpen = ({ status }: Batch) => !endedStatuses.includes(status);
  return {
    async create(batch) {
      if (all.has(nameOf(batch))) return false;
      all.set(nameOf(batch), begun(batch));
      return true;
    },
    async noteCreation({ tenant, request, id, isAgain }) {
      const name = `${tenant} ${request}`;
      const noted = isAgain ? creations.get(name) : undefined;
      if (!noted) creations.set(name, id);
      return noted ?? id;
    },
    find: async (tenant, id) => all.get(nameOf({ tenant, id })),
    async list(tenant, contract, { after, before, limit }: BatchListing) {
      const found = [...all.values()]
        .filter((batch) => batch.tenant === tenant && batch.id.startsWith(prefixes[contract]))
        .filter(({ id }) => (after === undefined || id < after) && (before === undefined || id > before))
        .toSorted((one, other) => (one.id < other.id ? 1 : -1));
      const items = before === undefined ? found.slice(0, limit) : found.slice(-limit);
      return { items, hasMore: items.length < found.length };
    },
    async change(batch, changes) {
      if (all.get(nameOf(batch))?.version !== batch.version) return undefined;
      const next = { ...batch, ...changes, version: batch.version + 1 };
      all.set(nameOf(batch), next);
      return next;
    },
    delete: async (batch) => all.delete(nameOf(batch)),
    jobs: async () => [],
    putJob: async () => true,
    open: async (tenant) =>
      [...all.values()].filter((batch) => isOpen(batch) && (tenant ?? batch.tenant) === batch.tenant),
  };
}

export function memoryFiles(): FileStore {
  const all = new Map<string, StoredFile>();
  return {
    async put(file) {
      const name = `${file.tenant} ${file.id}`;
      if (all.has(name)) return false;
      all.set(name, file);
      return true;
    },
    find: async (tenant, id) => all.get(`${tenant} ${id}`),
    list: async () => ({ items: [], hasMore: false }),
    remove: async (tenant, id) => all.delete(`${tenant} ${id}`),
    storedBytes: async () => 0,
  };
}

export function memoryBytes(): ByteStore {
  const all = new Map<string, Buffer>();
  return {
    async put(name, bytes) {
      all.set(name, Buffer.from(bytes));
      return { name, bytes: bytes.length };
    },
    async *get(name, range) {
      const found = all.get(name);
      if (!found) throw new Error(`There is nothing under ${name}.`);
      yield found.subarray(range?.start, range?.end);
    },
    async delete(names) {
      for (const name of names) all.delete(name);
    },
  };
}
