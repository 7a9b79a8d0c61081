/** Files and uploads of tenants: found by their own tenant, to the second of their expiry, and counted. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type ByteStore, minCountedBytes, type StoredFile } from '../../../lib/core/files.ts';
import { timedId } from '../../../lib/core/names/new-id.ts';
import { maxUploadParts, type Upload } from '../../../lib/core/uploads.ts';
import { openTable } from '../../../lib/stores/dynamodb/table.ts';
import { createFileStore } from '../../../lib/stores/files/file-store.ts';
import { createUploadStore } from '../../../lib/stores/files/upload-store.ts';
import { useTestDatabase } from '../database.ts';

const database = useTestDatabase('files');
let time: number;
let deleted: string[];

const bytes: ByteStore = {
  put: async (name, { length }) => ({ name, bytes: length }),
  get: () => (async function* () {})(),
  delete: async (names) => void deleted.push(...names),
};
const options = () => ({ call: database.call, table: 'files', now: () => time });
const files = () => createFileStore({ ...options(), bytes });
const uploads = () => createUploadStore(options());

beforeEach(() => {
  time = Date.UTC(2026, 10, 20, 12);
  deleted = [];
});

function fileOf(tenant: string, fields: Partial<StoredFile> = {}): StoredFile {
  const createdAt = Math.floor(time / 1_000);
  return {
    tenant,
    id: timedId('file-', time),
    key: 'key_1',
    filename: 'a.jsonl',
    purpose: 'batch',
    bytes: 1_000_000,
    createdAt,
    expiresAt: createdAt + 3_600,
    parts: [{ name: 't/acme/f/1', bytes: 1_000_000 }],
    ...fields,
  };
}

async function put(file: StoredFile): Promise<StoredFile> {
  await files().put(file);
  return file;
}

describe('a file', () => {
  test('is found by its own tenant alone', async () => {
    const file = await put(fileOf('acme'));
    expect(await files().find('acme', file.id)).toEqual(file);
    expect(await files().find('other', file.id)).toBeUndefined();
    expect(await files().remove('other', file.id)).toBe(false);
    expect(await files().find('acme', `${file.id}0`)).toBeUndefined();
    expect(await files().find('acme', 'stored#2026-11-20')).toBeUndefined();
    expect(deleted).toEqual([]);
  });

  test('is not looked for by what is no id of one, which is no place in a list either', async () => {
    await put(fileOf('acme'));
    for (const id of ['', 'a', 'zzz', 'file-', 'file-~~', `file-${'a'.repeat(2_000)}`, 'file-😀']) {
      expect(await files().find('acme', id)).toBeUndefined();
      expect(await files().remove('acme', id)).toBe(false);
      for (const order of ['asc', 'desc'] as const)
        expect((await files().list('acme', { order, limit: 10, after: id })).items).toEqual([]);
    }
  });

  test('expires to the second', async () => {
    const file = await put(fileOf('expiring'));
    time = file.expiresAt * 1_000 - 1;
    expect(await files().find('expiring', file.id)).toBeDefined();
    time += 1;
    expect(await files().find('expiring', file.id)).toBeUndefined();
    expect((await files().list('expiring', { limit: 10, order: 'asc' })).items).toEqual([]);
    expect(await files().remove('expiring', file.id)).toBe(false);
  });

  test('is written and counted once', async () => {
    const file = fileOf('twice');
    expect(await files().put(file)).toBe(true);
    expect(await files().put({ ...file, parts: [] })).toBe(false);
    expect(await files().find('twice', file.id)).toEqual(file);
    expect(await files().storedBytes('twice')).toBe(file.bytes);
  });

  test('is deleted with its parts, once', async () => {
    const file = await put(fileOf('deleting'));
    expect(await files().remove('deleting', file.id)).toBe(true);
    expect(deleted).toEqual(['t/acme/f/1']);
    expect(await files().remove('deleting', file.id)).toBe(false);
  });
});

describe('a list', () => {
  test('goes on where it stopped, past any number of other files, both ways', async () => {
    const made: StoredFile[] = [];
    for (let n = 0; n < 250; n += 1) {
      time += 1;
      const purpose = n % 120 === 0 ? 'vision' : 'batch';
      made.push(fileOf('lister', { purpose }));
    }
    await Promise.all(made.map((file) => files().put(file)));
    const ids = made.map(({ id }) => id);
    const listed = async (order: 'asc' | 'desc', limit: number, purpose?: 'vision') => {
      const found: string[] = [];
      for (let after: string | undefined; ; after = found.at(-1)) {
        const page = await files().list('lister', { order, limit, after, purpose });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...page.items.map(({ id }) => id));
        if (!page.hasMore) return found;
      }
    };
    expect(await listed('asc', 100)).toEqual(ids);
    expect(await listed('desc', 249)).toEqual(ids.toReversed());
    expect(await listed('asc', 250)).toEqual(ids);
    expect(await listed('desc', 1, 'vision')).toEqual([ids[240], ids[120], ids[0]]);
    // One that was deleted is still a place.
    await files().remove('lister', ids[100] ?? '');
    const rest = await files().list('lister', { order: 'asc', limit: 1, after: ids[100] });
    expect(rest.items.map(({ id }) => id)).toEqual([ids[101]]);
  });
});

describe('what a tenant has stored', () => {
  test('is the bytes of its files until they are deleted or expire', async () => {
    const stored = () => files().storedBytes('counted');
    expect(await stored()).toBe(0);
    const large = await put(fileOf('counted'));
    await put(fileOf('counted', { bytes: 1, expiresAt: large.expiresAt + 86_400 }));
    expect(await stored()).toBe(1_000_000 + minCountedBytes);
    await files().remove('counted', large.id);
    expect(await stored()).toBe(minCountedBytes);
    time += 2 * 86_400_000;
    expect(await stored()).toBe(0);
  });

  test('has what an upload announces, until it has ended', async () => {
    const upload = await createUpload('uploader', 500_000);
    expect(await files().storedBytes('uploader')).toBe(500_000);
    expect(await uploads().end(upload, 'cancelled')).toBe(true);
    expect(await files().storedBytes('uploader')).toBe(0);
    expect(await uploads().end(upload, 'completed')).toBe(false);
    expect(await files().storedBytes('uploader')).toBe(0);
  });
});

async function createUpload(tenant: string, size: number): Promise<Upload> {
  const createdAt = Math.floor(time / 1_000);
  const upload: Upload = {
    tenant,
    id: timedId('upload_', time),
    key: 'key_1',
    filename: 'a.jsonl',
    purpose: 'batch',
    bytes: size,
    createdAt,
    expiresAt: createdAt + 3_600,
    fileSeconds: 3_600,
    status: 'pending',
  };
  await uploads().create(upload);
  return upload;
}

describe('an upload', () => {
  const part = (id: string, size: number) => ({
    id,
    bytes: size,
    parts: [{ name: `t/acme/f/${id}`, bytes: size }],
  });

  test('takes parts up to its bytes, at the same time, too', async () => {
    const upload = await createUpload('parts', 10);
    const sizes = [4, 4, 4, 2];
    const added = await Promise.all(
      sizes.map((size, n) => uploads().addPart(upload, part(`part_${n}`, size))),
    );
    const received = await uploads().parts(upload);
    expect(received.map(({ id }) => id)).toEqual(sizes.flatMap((_, n) => (added[n] ? [`part_${n}`] : [])));
    expect(received.reduce((sum, one) => sum + one.bytes, 0)).toBeLessThanOrEqual(10);
    expect(await uploads().addPart(upload, part('part_9', 5))).toBe(false);
  });

  test('takes no more parts than so many, however small they are', async () => {
    const upload = await createUpload('many', 10);
    const table = openTable({ call: database.call, table: 'files' });
    const count = (value: number) => table.set(['many', upload.id], 'part_count', value);
    await count(maxUploadParts - 1);
    expect(await uploads().addPart(upload, part('part_1', 0))).toBe(true);
    expect(await uploads().addPart(upload, part('part_2', 0))).toBe(false);
  });

  test('is found by its own tenant, for an hour, and takes no parts once it has ended', async () => {
    const upload = await createUpload('hour', 10);
    expect(await uploads().find('hour', upload.id)).toEqual(upload);
    expect(await uploads().find('other', upload.id)).toBeUndefined();
    await uploads().end(upload, 'completed');
    expect(await uploads().addPart(upload, part('part_1', 1))).toBe(false);
    time = upload.expiresAt * 1_000;
    expect(await uploads().find('hour', upload.id)).toBeUndefined();
  });

  test('is no file', async () => {
    const upload = await createUpload('both', 10);
    expect(await files().find('both', upload.id)).toBeUndefined();
    expect((await files().list('both', { limit: 10, order: 'asc' })).items).toEqual([]);
  });
});
