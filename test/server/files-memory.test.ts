/** A file of 200 MB goes through a server into a directory and back, and the process holds a few parts of it at a time. */
import { createHash, type Hash } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundary, formType } from '../harness/form.ts';
import { type ServedProcess, startServedProcess } from '../harness/gateways/served-process.ts';
import { highestMemory } from '../harness/gateways/worker-memory.ts';
import { newDirectory } from '../harness/new-directory.ts';

const megabyte = 1024 * 1024;
const size = 200 * megabyte;

let served: ServedProcess;
const directory = newDirectory();

beforeAll(async () => {
  served = await startServedProcess({ environment: { GATEWAY_FILES_DIRECTORY: directory } });
}, 60_000);
afterAll(async () => {
  await served?.close();
});

function* bytesOfForm(hash: Hash): Generator<Buffer> {
  yield Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n`,
  );
  for (let n = 0; n < 200; n += 1) {
    const piece = Buffer.alloc(megabyte, `{"custom_id":"${n}"}\n`);
    hash.update(piece);
    yield piece;
  }
  yield Buffer.from(
    `\r\n--${boundary}\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n--${boundary}--\r\n`,
  );
}

test('its memory does not grow with the file', { timeout: 60_000 }, async () => {
  const authorization = `Bearer ${served.apiKey}`;
  expect((await fetch(`${served.url}/v1/files`, { headers: { authorization } })).status).toBe(200);
  const before = highestMemory(served);
  const sent = createHash('sha256');
  const posting = request(`${served.url}/v1/files`, {
    method: 'POST',
    headers: { authorization, 'content-type': formType, 'transfer-encoding': 'chunked' },
  });
  const answered = new Promise<string>((resolve, reject) => {
    posting.on('error', reject).on('response', async (response) => {
      resolve(Buffer.concat(await Array.fromAsync(response)).toString());
    });
  });
  await pipeline(Readable.from(bytesOfForm(sent)), posting);
  const { id, bytes } = JSON.parse(await answered);
  expect(bytes).toBe(size);
  const read = createHash('sha256');
  const content = await fetch(`${served.url}/v1/files/${id}/content`, { headers: { authorization } });
  for await (const chunk of content.body ?? []) read.update(chunk);
  expect(read.digest('hex')).toBe(sent.digest('hex'));
  // Parts of 8 MB, what is on its way to and from them, and garbage of all that.
  expect(highestMemory(served) - before).toBeLessThan(128);
});
