/** Bytes by name, in a directory and in a bucket: written whole, read by range, deleted. */
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readParts, storeBytes } from '../../../lib/core/file-bytes.ts';
import { type ByteStore, partBytes } from '../../../lib/core/files.ts';
import { createDirectoryBytes, deleteBefore } from '../../../lib/stores/files/directory-bytes.ts';
import { createS3Bytes } from '../../../lib/stores/files/s3-bytes.ts';
import { createBucket } from '../../../lib/transport/aws/bucket.ts';
import { createSigner } from '../../../lib/transport/aws/sign-action.ts';
import { createNodeClient } from '../../../lib/transport/http-client/node-client.ts';
import { operator, startFakeAws } from '../../harness/aws/fake-aws.ts';
import { s3 } from '../../harness/aws/services/s3.ts';
import { use } from '../../harness/use.ts';

const objects = new Map<string, Buffer>();
const client = createNodeClient();
let directory: string;

const aws = use(() => startFakeAws({ services: [s3(objects)] }));
afterAll(async () => {
  await client.close();
});
beforeEach(async () => {
  objects.clear();
  directory = await mkdtemp(join(tmpdir(), 'bytes-'));
  return () => rm(directory, { recursive: true });
});

const inBucket = () =>
  createS3Bytes(
    createBucket({
      send: client.send,
      sign: createSigner(async () => operator),
      region: 'eu-west-1',
      endpoint: `${aws.url}/files`,
    }),
  );

const filesIn = async (): Promise<readonly string[]> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
};

const kinds: readonly (readonly [string, () => ByteStore, () => Promise<number>])[] = [
  ['a directory', () => createDirectoryBytes(directory), async () => (await filesIn()).length],
  ['a bucket', inBucket, async () => objects.size],
];

/** Names by number. */
function counted(): () => string {
  let names = 0;
  return () => {
    names += 1;
    return `t/acme/f/${names}`;
  };
}

const textOf = async (source: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await Array.fromAsync(source)).toString();

describe.each(kinds)('%s', (_, open, count) => {
  test('gives back what was put, all of it or a range, until it is deleted', async () => {
    const store = open();
    const name = 't/acme/f/one';
    expect(await store.put(name, Buffer.from('first'))).toEqual({ name, bytes: 5 });
    expect(await store.put(name, Buffer.from('abcdefgh'))).toEqual({ name, bytes: 8 });
    expect(await textOf(store.get(name))).toBe('abcdefgh');
    expect(await textOf(store.get(name, { start: 2, end: 5 }))).toBe('cde');
    expect(await count()).toBe(1);
    await store.delete([name, 't/acme/f/never']);
    expect(await count()).toBe(0);
    await expect(textOf(store.get(name))).rejects.toThrow(Error);
  });

  test('has a file in parts, and ranges across them', async () => {
    const store = open();
    const bytes = Buffer.alloc(partBytes + 10, 'abcdefg');
    async function* source() {
      for (let at = 0; at < bytes.length; at += 1_000_003) yield bytes.subarray(at, at + 1_000_003);
    }
    const stored = await storeBytes(source(), store, counted());
    expect(stored).toEqual({
      bytes: bytes.length,
      parts: [
        { name: 't/acme/f/1', bytes: partBytes },
        { name: 't/acme/f/2', bytes: 10 },
      ],
    });
    const whole = Buffer.concat(await Array.fromAsync(readParts(stored.parts, store)));
    expect(whole.equals(bytes)).toBe(true);
    const range = { start: partBytes - 3, end: partBytes + 4 };
    expect(await textOf(readParts(stored.parts, store, range))).toBe(
      bytes.subarray(range.start, range.end).toString(),
    );
  });

  test('has nothing of a source that breaks off', async () => {
    const store = open();
    async function* broken() {
      yield Buffer.alloc(partBytes + 1);
      throw new Error('It broke off.');
    }
    const storing = storeBytes(broken(), store, counted());
    await expect(storing).rejects.toThrow('It broke off.');
    expect(await count()).toBe(0);
  });

  test('says when a part has fewer bytes than it should', async () => {
    const store = open();
    const part = await store.put('t/acme/f/short', Buffer.from('abc'));
    const reading = textOf(readParts([{ ...part, bytes: 4 }], store));
    await expect(reading).rejects.toThrow('3 bytes in place of 4');
  });
});

test('an empty file has no parts', async () => {
  const empty = await storeBytes((async function* () {})(), createDirectoryBytes(directory), () => 'a');
  expect(empty).toEqual({ bytes: 0, parts: [] });
});

test('a directory is for its user alone', async () => {
  await createDirectoryBytes(directory).put('t/acme/f/one', Buffer.from('a'));
  expect((await stat(join(directory, 't'))).mode & 0o777).toBe(0o700);
  expect((await stat(join(directory, 't/acme/f/one'))).mode & 0o777).toBe(0o600);
});

test.each(['../one', 't/../../one', '/etc/one', 't//one', '', '.', 't/.hidden', 't\\one', 't/a b'])(
  'a directory refuses the name %j',
  async (name) => {
    const store = createDirectoryBytes(directory);
    await expect(store.put(name, Buffer.from('a'))).rejects.toThrow('invalid');
    await expect(store.delete([name])).rejects.toThrow('invalid');
  },
);

test('what is old is deleted from a directory', async () => {
  const store = createDirectoryBytes(directory);
  await store.put('t/acme/f/old', Buffer.from('a'));
  await store.put('t/acme/f/new', Buffer.from('b'));
  await utimes(join(directory, 't/acme/f/old'), 1_000, 1_000);
  await deleteBefore(directory, 2_000_000);
  expect(await filesIn()).toEqual([join(directory, 't/acme/f/new')]);
  await deleteBefore(join(directory, 'never'), 2_000_000);
});

test('a bucket is asked again after a fault', async () => {
  const store = inBucket();
  aws.faults.add('s3:PutObject', 'unavailable', { times: 2 });
  await store.put('t/acme/f/one', Buffer.from('a'));
  expect(objects.size).toBe(1);
});
