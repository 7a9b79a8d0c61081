/** Files and uploads with OpenAI's client library. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import OpenAI, { NotFoundError, toFile } from 'openai';
import { expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';

const gateway = useGateway();
const client = () => new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey, maxRetries: 0 });

const lines = (count: number) => '{"custom_id":"a"}\n'.repeat(count);
const batchFile = (text: string, name = 'input.jsonl') => toFile(Buffer.from(text), name);

/** The names of all stored bytes. */
const storedFiles = async () => {
  const entries = await readdir(gateway().variables.GATEWAY_FILES_DIRECTORY ?? '', {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

test('a file is stored, found, read and deleted', async () => {
  const { files } = client();
  const before = Math.floor(Date.now() / 1_000);
  const created = await files.create({ file: await batchFile(lines(3)), purpose: 'batch' });
  expect(created).toEqual({
    id: expect.stringMatching(/^file-[0-9a-f]{44}$/),
    object: 'file',
    bytes: 54,
    created_at: expect.any(Number),
    expires_at: created.created_at + 30 * 86_400,
    filename: 'input.jsonl',
    purpose: 'batch',
    status: 'processed',
  });
  expect(created.created_at).toBeGreaterThanOrEqual(before);
  expect(await files.retrieve(created.id)).toEqual(created);
  expect(await files.waitForProcessing(created.id)).toEqual(created);
  const content = await files.content(created.id);
  expect(content.headers.get('content-length')).toBe('54');
  expect(content.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''input.jsonl");
  expect(await content.text()).toBe(lines(3));
  expect(await files.delete(created.id)).toEqual({ id: created.id, object: 'file', deleted: true });
  await expect(files.retrieve(created.id)).rejects.toThrow(NotFoundError);
  await expect(files.content(created.id)).rejects.toThrow(NotFoundError);
  await expect(files.delete(created.id)).rejects.toThrow(NotFoundError);
  expect(await storedFiles()).toEqual([]);
});

test('a file of several parts is whole, and a range of it is what it says', async () => {
  const { files } = client();
  const bytes = Buffer.alloc(20 * 1024 * 1024, 'abcdefghijklmnopqrstuvw');
  const { id } = await files.create({ file: await toFile(bytes, 'big.bin'), purpose: 'user_data' });
  expect((await storedFiles()).length).toBe(3);
  const hash = (given: Uint8Array) => createHash('sha256').update(given).digest('hex');
  expect(hash(new Uint8Array(await (await files.content(id)).arrayBuffer()))).toBe(hash(bytes));
  const border = 8 * 1024 * 1024;
  const range = await files.content(id, { headers: { range: `bytes=${border - 5}-${border + 4}` } });
  expect([range.status, range.headers.get('content-range')]).toEqual([
    206,
    `bytes ${border - 5}-${border + 4}/${bytes.length}`,
  ]);
  expect(await range.text()).toBe(bytes.subarray(border - 5, border + 5).toString());
  await files.delete(id);
});

test('files are listed by time and purpose, page by page', async () => {
  const { files } = client();
  const ids: string[] = [];
  for (const purpose of ['batch', 'vision', 'batch', 'batch', 'evals'] as const)
    ids.push((await files.create({ file: await batchFile('{}'), purpose })).id);
  const listed = async (query: OpenAI.FileListParams) => {
    const found: string[] = [];
    for await (const { id } of files.list(query)) found.push(id);
    return found;
  };
  expect(await listed({ limit: 2, order: 'asc' })).toEqual(ids);
  expect(await listed({ limit: 2 })).toEqual(ids.toReversed());
  expect(await listed({ limit: 1, purpose: 'batch', order: 'asc' })).toEqual([ids[0], ids[2], ids[3]]);
  const page = await files.list({ limit: 2, after: ids[2] ?? '', order: 'asc' });
  expect([page.data.map(({ id }) => id), page.has_more]).toEqual([ids.slice(3), false]);
  for (const id of ids) await files.delete(id);
  expect(await listed({})).toEqual([]);
});

test('an upload becomes a file of its parts, in their order', async () => {
  const { uploads, files } = client();
  const upload = await uploads.create({
    bytes: 9,
    filename: 'parts.jsonl',
    mime_type: 'application/jsonl',
    purpose: 'batch',
    expires_after: { anchor: 'created_at', seconds: 3_600 },
  });
  expect(upload).toMatchObject({ object: 'upload', bytes: 9, status: 'pending', purpose: 'batch' });
  expect(upload.expires_at).toBe(upload.created_at + 3_600);
  const part = async (text: string) =>
    (await uploads.parts.create(upload.id, { data: await toFile(Buffer.from(text), 'part') })).id;
  const [second, first] = [await part('worl'), await part('hello')];
  const unused = part('x');
  await expect(unused).rejects.toThrow('more than the 9 bytes');
  const wrong = uploads.complete(upload.id, { part_ids: [first] });
  await expect(wrong).rejects.toThrow("'part_ids' have 5 bytes, and the upload was created with 9");
  const badHash = uploads.complete(upload.id, { part_ids: [first, second], md5: 'f'.repeat(32) });
  await expect(badHash).rejects.toThrow("'md5'");
  const md5 = createHash('md5').update('helloworl').digest('hex');
  const completed = await uploads.complete(upload.id, { part_ids: [first, second], md5 });
  expect(completed).toMatchObject({ status: 'completed', file: { bytes: 9, filename: 'parts.jsonl' } });
  expect(completed.file?.expires_at).toBe((completed.file?.created_at ?? 0) + 3_600);
  const id = completed.file?.id ?? '';
  expect(await (await files.content(id)).text()).toBe('helloworl');
  // As a client does whose answer was lost.
  expect(await uploads.complete(upload.id, { part_ids: [first, second], md5 })).toEqual(completed);
  await expect(uploads.cancel(upload.id)).rejects.toThrow('The upload is completed.');
  await files.delete(id);
  expect(await storedFiles()).toEqual([]);
});

test('an upload that is completed several times at once becomes one file, which stays', async () => {
  const { uploads, files } = client();
  const facts = { filename: 'a', mime_type: 'text/plain', purpose: 'user_data' } as const;
  const upload = await uploads.create({ bytes: 5, ...facts });
  const data = await toFile(Buffer.from('hello'), 'part');
  const { id: part } = await uploads.parts.create(upload.id, { data });
  const complete = () => uploads.complete(upload.id, { part_ids: [part] });
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, complete));
  for (const other of others) expect(other).toEqual(first);
  const id = first?.file?.id ?? '';
  expect(await (await files.content(id)).text()).toBe('hello');
  expect((await files.list()).data).toHaveLength(1);
  await files.delete(id);
  expect(await storedFiles()).toEqual([]);
});

test('a cancelled upload leaves nothing', async () => {
  const { uploads } = client();
  const upload = await uploads.create({
    bytes: 5,
    filename: 'a',
    mime_type: 'text/plain',
    purpose: 'user_data',
  });
  const data = await toFile(Buffer.from('hello'), 'part');
  const { id } = await uploads.parts.create(upload.id, { data });
  expect(await uploads.cancel(upload.id)).toMatchObject({ id: upload.id, status: 'cancelled' });
  expect(await storedFiles()).toEqual([]);
  await expect(uploads.complete(upload.id, { part_ids: [id] })).rejects.toThrow('The upload is cancelled.');
  await expect(uploads.parts.create(upload.id, { data })).rejects.toThrow('The upload is cancelled.');
});
