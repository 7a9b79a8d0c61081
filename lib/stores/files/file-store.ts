/** The files of tenants, in the table `files`: an item for each, by its tenant and its id, and the names of its parts in it. */
import * as z from 'zod/mini';
import {
  type ByteStore,
  type FileListing,
  type FileStore,
  filePrefix,
  type ListPage,
  type StoredFile,
} from '../../core/files.ts';
import { isIdOf } from '../../core/names/new-id.ts';
import { sortKey } from '../../core/tables.ts';
import { isAbsent, openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { factFields, partsItem, readFacts, readPartsItem, writeFacts, writeParts } from './file-facts.ts';
import { countStoredBytes } from './stored-bytes.ts';

interface FileStoreOptions extends TableOptions {
  readonly bytes: ByteStore;
  /** The time in milliseconds. */
  readonly now: () => number;
}

const fileItem = z.object({ ...factFields, parts: partsItem });

/** Rows that are read at a time where some of them are left out. */
const minRead = 100;

export function createFileStore({ bytes: store, now, ...options }: FileStoreOptions): FileStore {
  const table = openTable(options);
  const counter = countStoredBytes(table, now);
  const found = (item: StoredItem | undefined) => {
    const file = readItem(item);
    return file && file.expiresAt * 1_000 > now() ? file : undefined;
  };
  return {
    async put(file) {
      const isNew = await table.put([file.tenant, file.id], toItem(file), isAbsent);
      if (isNew) await counter.add(file);
      return isNew;
    },
    async find(tenant, id) {
      if (!isIdOf(filePrefix, id)) return undefined;
      return found(await table.get([tenant, id], { consistent: true }));
    },
    async list(tenant, listing) {
      const { after } = listing;
      if (after !== undefined && !isIdOf(filePrefix, after)) return { items: [], hasMore: false };
      return await listPage(listing, async (from, to, limit) => {
        const newestFirst = listing.order === 'desc';
        const items = await table.query(tenant, { from, to, limit, newestFirst });
        return items.map((item) => ({ id: String(item[sortKey]), file: found(item) }));
      });
    },
    async remove(tenant, id) {
      if (!isIdOf(filePrefix, id)) return false;
      const file = readItem(await table.remove([tenant, id]));
      if (!file) return false;
      await counter.subtract(file);
      await store.delete(file.parts.map(({ name }) => name));
      return file.expiresAt * 1_000 > now();
    },
    storedBytes: counter.sum,
  };
}

interface Row {
  readonly id: string;
  /** Undefined for one that has expired. */
  readonly file: StoredFile | undefined;
}

/** Reads on until the page is full, since any number of rows may be left out. */
async function listPage(
  { after, limit, order, purpose }: FileListing,
  read: (from: string, to: string, limit: number) => Promise<readonly Row[]>,
): Promise<ListPage<StoredFile>> {
  const items: StoredFile[] = [];
  const size = Math.max(limit + 2, minRead);
  let last = after;
  for (;;) {
    const from = order === 'asc' && last !== undefined ? last : filePrefix;
    const to = order === 'desc' && last !== undefined ? last : `${filePrefix}~`;
    const rows = await read(from, to, size);
    for (const { id, file } of rows) {
      // Both ends of a range are included.
      if (id === last || !file || (purpose !== undefined && file.purpose !== purpose)) continue;
      if (items.length === limit) return { items, hasMore: true };
      items.push(file);
    }
    if (rows.length < size) return { items, hasMore: false };
    last = rows.at(-1)?.id;
  }
}

const toItem = (file: StoredFile) => ({ ...writeFacts(file), parts: writeParts(file.parts) });

function readItem(item: StoredItem | undefined): StoredFile | undefined {
  const { success, data } = fileItem.safeParse(item);
  return success ? { ...readFacts(data), parts: readPartsItem(data.parts) } : undefined;
}
