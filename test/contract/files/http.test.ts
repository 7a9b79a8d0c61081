/** Files over plain HTTP: who may read them, what is wrong with a request, and what is left of one that breaks off. */
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { timedId } from '../../../lib/core/names/new-id.ts';
import { foundationOf } from '../../../lib/runtime/foundation.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { createFileStore } from '../../../lib/stores/files/file-store.ts';
import { noBytes } from '../../../lib/stores/files/no-bytes.ts';
import { boundary, type FormPart, formBytes, formType } from '../../harness/form.ts';
import { useGateway } from '../../harness/gateways/use-gateway.ts';

const gateway = useGateway();

const file: FormPart = { name: 'file', filename: 'a.jsonl', value: '{"a":1}\n' };
const purpose: FormPart = { name: 'purpose', value: 'batch' };

const send = (path: string, init: RequestInit = {}, key = gateway().apiKey) =>
  fetch(`${gateway().url}${path}`, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });

const post = (path: string, parts: readonly FormPart[], key?: string) =>
  send(
    path,
    { method: 'POST', body: new Uint8Array(formBytes(...parts)), headers: { 'content-type': formType } },
    key,
  );

interface Read {
  readonly error: { readonly param: string | null; readonly code: string | null };
  readonly data: readonly object[];
}

const read = async (answer: Response) => (await answer.json()) as Read;

const create = async (): Promise<string> => {
  const answer = await post('/v1/files', [file, purpose]);
  return ((await answer.json()) as { id: string }).id;
};

const storedCount = async () => {
  const directory = gateway().variables.GATEWAY_FILES_DIRECTORY ?? '';
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).length;
};

const tableOf = (name: 'access' | 'files') => foundationOf(gateway().variables).table(name);

describe('a file of another tenant is not found', () => {
  test.each([
    ['GET', ''],
    ['GET', '/content'],
    ['DELETE', ''],
  ])('%s %s', async (method, rest) => {
    const id = await create();
    const { secret } = await createKeyStore(tableOf('access')).create({ tenant: 'another' });
    const answers = await Promise.all([
      send(`/v1/files/${id}${rest}`, { method }, secret),
      send(`/v1/files/${timedId('file-', Date.now())}${rest}`, { method }, secret),
    ]);
    const [foreign, unknown] = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(foreign).toBe(unknown);
    expect((await read(await send('/v1/files', {}, secret))).data).toEqual([]);
    expect((await send(`/v1/files/${id}`, { method: 'DELETE' })).status).toBe(200);
  });
});

test.each<[string, readonly FormPart[], number, string | null]>([
  ['no purpose', [file], 400, 'purpose'],
  ['an unknown purpose', [file, { name: 'purpose', value: 'fun' }], 400, 'purpose'],
  ['a purpose of the gateway itself', [file, { name: 'purpose', value: 'batch_output' }], 400, 'purpose'],
  ['an unknown field', [file, purpose, { name: 'colour', value: 'red' }], 400, 'colour'],
  ['no file', [purpose], 400, 'file'],
  ['a file without a name', [{ filename: 'a', value: 'a' }, purpose], 400, ''],
  ['a field without a name', [file, purpose, { value: 'a' }], 400, ''],
  ['a long field without a name', [file, purpose, { value: 'a'.repeat(5_000) }], 400, ''],
  [
    'an expiry that is too short',
    [
      file,
      purpose,
      { name: 'expires_after[anchor]', value: 'created_at' },
      { name: 'expires_after[seconds]', value: '60' },
    ],
    400,
    'expires_after.seconds',
  ],
])('%s is refused, and nothing is left', async (_, parts, status, param) => {
  const answer = await post('/v1/files', parts);
  expect([answer.status, (await read(answer)).error.param]).toEqual([status, param]);
  expect(await storedCount()).toBe(0);
});

test.each([
  ['bytes=0-0', 206, '{', 'bytes 0-0/8'],
  ['bytes=-3', 206, '1}\n', 'bytes 5-7/8'],
  ['bytes=6-100', 206, '}\n', 'bytes 6-7/8'],
  ['bytes=0-1,3-4', 200, '{"a":1}\n', null],
  ['lines=1-2', 200, '{"a":1}\n', null],
  ['bytes=8-', 416, undefined, null],
])('the range %s', async (range, status, text, contentRange) => {
  const id = await create();
  const answer = await send(`/v1/files/${id}/content`, { headers: { range } });
  expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange]);
  const body = await answer.text();
  if (text !== undefined) expect(body).toBe(text);
  await send(`/v1/files/${id}`, { method: 'DELETE' });
});

test('a name that is cut is text still', async () => {
  const answer = await post('/v1/files', [{ ...file, filename: `${'a'.repeat(254)}😀` }, purpose]);
  const { id, filename } = (await answer.json()) as { readonly id: string; readonly filename: string };
  expect(filename).toBe(`${'a'.repeat(254)}\ufffd`);
  await send(`/v1/files/${id}`, { method: 'DELETE' });
});

/** A tenant whose files have so many bytes, and its key. */
async function keyOfTenant(tenant: string, bytes: number) {
  const key = await createKeyStore(tableOf('access')).create({ tenant });
  const now = Math.floor(Date.now() / 1_000);
  await createFileStore({ ...tableOf('files'), bytes: noBytes, now: Date.now }).put({
    tenant,
    id: timedId('file-', Date.now()),
    key: 'key',
    filename: 'large',
    purpose: 'user_data',
    bytes,
    createdAt: now,
    expiresAt: now + 3_600,
    parts: [],
  });
  return key;
}

test('files that are stored at the same time do not have more bytes together than their tenant may', async () => {
  const key = await keyOfTenant('nearly-full', 9_999_750_000);
  const answers = await Promise.all([1, 2, 3, 4].map(() => post('/v1/files', [file, purpose], key.secret)));
  const files = createFileStore({ ...tableOf('files'), bytes: noBytes, now: Date.now });
  const { items } = await files.list('nearly-full', { limit: 10, order: 'asc' });
  const stored = answers.filter(({ status }) => status === 200).length;
  expect(stored).toBeLessThanOrEqual(2);
  expect(items).toHaveLength(stored + 1);
  expect(await files.storedBytes('nearly-full')).toBeLessThanOrEqual(10_000_000_000);
  for (const { id } of items) await send(`/v1/files/${id}`, { method: 'DELETE' }, key.secret);
});

test('a tenant whose files have too many bytes stores no more', async () => {
  const key = await keyOfTenant('full', 9_999_999_999);
  const answer = await post('/v1/files', [file, purpose], key.secret);
  expect([answer.status, (await read(answer)).error.code]).toEqual([400, 'storage_limit_exceeded']);
  expect(await storedCount()).toBe(0);
});

describe('an answer comes before the end of the body', () => {
  /** Sends the beginning of an upload that announces 100 MB, and returns what comes back. */
  async function begin(authorization: string): Promise<string> {
    const { port } = new URL(gateway().url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = [
      'POST /v1/files HTTP/1.1',
      `host: 127.0.0.1:${port}`,
      authorization,
      `content-type: ${formType}`,
    ];
    socket.write(`${[...head, 'content-length: 100000000'].join('\r\n')}\r\n\r\n`);
    socket.write(`--${boundary}\r\ncontent-disposition: form-data; name="wrong"; filename="a"\r\n\r\n`);
    const filling = setInterval(() => socket.write(Buffer.alloc(16_384)), 2);
    let text = '';
    for await (const chunk of socket.on('error', () => {})) text += chunk;
    clearInterval(filling);
    return text;
  }

  test.each([
    ['for an unknown key', () => 'authorization: Bearer mgw_unknown', /^HTTP\/1\.1 401 /],
    ['for a wrong form', () => `authorization: Bearer ${gateway().apiKey}`, /^HTTP\/1\.1 400 /],
  ])('%s', async (_, authorization, expected) => {
    const text = await begin(authorization());
    expect(text).toMatch(expected);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(text).toMatch(/"error":\{"message":.*\}/);
    expect(await storedCount()).toBe(0);
  });
});

test('a client that leaves in the middle leaves nothing', async () => {
  const { port } = new URL(gateway().url);
  const socket = connect(Number(port), '127.0.0.1');
  const whole = formBytes({ ...file, value: Buffer.alloc(20 * 1024 * 1024) }, purpose);
  const head = [
    'POST /v1/files HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${gateway().apiKey}`,
    `content-type: ${formType}`,
    `content-length: ${whole.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(whole.subarray(0, 17 * 1024 * 1024));
  await expect.poll(storedCount).toBeGreaterThan(0);
  socket.destroy();
  await expect.poll(storedCount).toBe(0);
  expect((await read(await send('/v1/files'))).data).toEqual([]);
});

test.each([
  ['GET', '/v1/files/file-LONG', 404],
  ['GET', '/v1/files/file-LONG/content', 404],
  ['DELETE', '/v1/files/file-LONG', 404],
  ['POST', '/v1/uploads/upload_LONG/cancel', 404],
  ['GET', '/v1/batches/batch_LONG', 404],
  ['POST', '/v1/batches/batch_LONG/cancel', 404],
  ['GET', '/v1/messages/batches/msgbatch_LONG/results', 404],
  ['DELETE', '/v1/messages/batches/msgbatch_LONG', 404],
  ['GET', '/v1/files?order=asc&after=file-~~~', 400],
  ['GET', '/v1/batches?after=', 400],
  ['GET', '/v1/batches?after=msgbatch_1', 400],
  ['GET', '/v1/messages/batches?before_id=zzz', 400],
])('%s %s, which is no id, is answered with %i', async (method, path, status) => {
  expect((await send(path.replace('LONG', 'a'.repeat(2_000)), { method })).status).toBe(status);
});

test.each([
  ['PUT', '/v1/files', 405],
  ['POST', '/v1/files/file-1/content', 405],
  ['GET', '/v1/files/file-1/content/more', 404],
  ['HEAD', '/v1/files/file-1/content', 405],
  ['GET', '/v1/uploads/upload_1', 404],
])('%s %s is answered with %i', async (method, path, status) => {
  expect((await send(path, { method })).status).toBe(status);
});
