/** Uploads, in the table `files`: an item for each by its tenant and its id, and one for each of its parts after it. */
import * as z from 'zod/mini';
import { expiryAttribute, sortKey } from '../../core/tables.ts';
import { maxUploadParts, type Upload, type UploadPart, type UploadStore } from '../../core/uploads.ts';
import { openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { factFields, partsItem, readFacts, readPartsItem, writeFacts, writeParts } from './file-facts.ts';
import { countStoredBytes } from './stored-bytes.ts';

interface UploadStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
}

const uploadItem = z.object({
  ...factFields,
  file_seconds: z.number(),
  status: z.enum(['pending', 'completed', 'cancelled']),
});

const partItem = z.object({ [sortKey]: z.string(), bytes: z.number(), parts: partsItem });

/** What an upload announces counts as stored until it has ended, and then its file does. */
export function createUploadStore({ now, ...options }: UploadStoreOptions): UploadStore {
  const table = openTable(options);
  const counter = countStoredBytes(table, now);
  const isPending = { names: { '#status': 'status' }, values: { ':pending': 'pending' } };
  return {
    async create(upload) {
      await counter.add(upload);
      await table.put([upload.tenant, upload.id], toItem(upload));
    },
    async find(tenant, id) {
      const upload = readItem(await table.get([tenant, id], { consistent: true }));
      return upload && upload.expiresAt * 1_000 > now() ? upload : undefined;
    },
    async addPart({ tenant, id, bytes: all, expiresAt }, { id: partId, bytes, parts }) {
      const received = await table.update([tenant, id], {
        expression: 'ADD #received :bytes, #count :one',
        condition:
          '#status = :pending AND (attribute_not_exists(#received) OR #received <= :room) AND (attribute_not_exists(#count) OR #count < :max)',
        names: { ...isPending.names, '#received': 'received', '#count': 'part_count' },
        values: {
          ...isPending.values,
          ':bytes': bytes,
          ':room': all - bytes,
          ':one': 1,
          ':max': maxUploadParts,
        },
        once: true,
      });
      if (!received) return false;
      const item = { bytes, parts: writeParts(parts), [expiryAttribute]: expiresAt };
      await table.put([tenant, partKey(id, partId)], item);
      return true;
    },
    async parts({ tenant, id }) {
      const items = await table.query(tenant, { from: partKey(id, ''), to: partKey(id, '~') });
      return items.flatMap((item) => readPart(item, id) ?? []);
    },
    async end(upload, status) {
      const ended = await table.update([upload.tenant, upload.id], {
        expression: 'SET #status = :status',
        condition: '#status = :pending',
        names: isPending.names,
        values: { ...isPending.values, ':status': status },
      });
      if (ended) await counter.subtract(upload);
      return ended !== undefined;
    },
  };
}

const partKey = (upload: string, part: string): string => `${upload}#${part}`;

const toItem = (upload: Upload) => ({
  ...writeFacts(upload),
  file_seconds: upload.fileSeconds,
  status: upload.status,
});

function readItem(item: StoredItem | undefined): Upload | undefined {
  const { success, data } = uploadItem.safeParse(item);
  if (!success) return undefined;
  return { ...readFacts(data), fileSeconds: data.file_seconds, status: data.status };
}

function readPart(item: StoredItem, upload: string): UploadPart | undefined {
  const { success, data } = partItem.safeParse(item);
  if (!success) return undefined;
  const id = data[sortKey].slice(partKey(upload, '').length);
  return { id, bytes: data.bytes, parts: readPartsItem(data.parts) };
}
