/** The local database answers only processes that have the access key of this start, and only its owner can read its files. */
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LocalDatabase, startDatabase } from '../../local/database.ts';

let directory: string;
let database: LocalDatabase;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'database-'));
});
afterEach(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(): Promise<void> {
  database = await startDatabase({ dataDirectory: directory });
}

const signedBy = (accessKey: string) =>
  `AWS4-HMAC-SHA256 Credential=${accessKey}/20261122/local/dynamodb/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`;

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** What a page, or another program of the machine, can send. Headers replace those of a correct request. */
function send(headers: Record<string, string>, { method = 'POST', path = '/' } = {}): Promise<Answer> {
  const { username: accessKey, port } = new URL(database.endpoint);
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.Scan',
      'x-amz-date': '20261122T000000Z',
      authorization: signedBy(accessKey),
      ...headers,
    },
  });
  return new Promise((resolve, reject) => {
    outgoing.once('error', reject).once('response', async (response) => {
      const parts = await Array.fromAsync(response);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(parts).toString(),
      });
    });
    outgoing.end(method === 'POST' ? '{"TableName":"access"}' : undefined);
  });
}

describe('a request of a stranger is refused', () => {
  test('and one with the access key of this start is not', async () => {
    await open();
    expect(await send({})).toMatchObject({ status: 200, text: expect.stringContaining('"Items"') });
  });

  test.each([
    ['with the made-up key of a page', { authorization: signedBy('local'), origin: 'https://evil.example' }],
    ['of a page', { origin: 'https://evil.example' }],
    ['of a page without an origin of its own', { origin: 'null' }],
    ['of a page that names the database itself', { origin: 'http://127.0.0.1' }],
    ['for another host', { host: 'evil.example' }],
    ['for a name of this machine', { host: 'localhost' }],
    ['for another port', { host: '127.0.0.1:1' }],
    ['with a made-up key', { authorization: signedBy('local') }],
    ['with an empty key', { authorization: signedBy('') }],
    ['with a longer key', { authorization: signedBy('x'.repeat(5_000)) }],
    ['without a signature', { authorization: '' }],
    ['with another kind of credentials', { authorization: 'Bearer local' }],
  ])('%s', async (_, headers) => {
    await open();
    const answer = await send(headers);
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toEqual({
      __type: 'com.amazon.coral.service#AccessDeniedException',
      message: 'This database answers only the gateway that started it.',
    });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('in the address, as a presigned one has it', async () => {
    await open();
    const path = `/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=local%2F20261122%2Flocal%2Fdynamodb%2Faws4_request`;
    expect((await send({ authorization: '' }, { path })).status).toBe(403);
  });

  test('a preflight', async () => {
    await open();
    const answer = await send(
      { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      { method: 'OPTIONS' },
    );
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('with the access key of an earlier start', async () => {
    await open();
    const { username: earlier } = new URL(database.endpoint);
    await database.close();
    await open();
    expect((await send({ authorization: signedBy(earlier) })).status).toBe(403);
  });
});

describe('another user of the machine cannot read', () => {
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

  /** The modes of everything below the directory, by kind. */
  async function modes(): Promise<{ directories: string[]; files: string[] }> {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    const of = (isWanted: (entry: (typeof entries)[number]) => boolean) =>
      Promise.all(entries.filter(isWanted).map((entry) => modeOf(join(entry.parentPath, entry.name))));
    return {
      directories: [await modeOf(directory), ...(await of((entry) => entry.isDirectory()))],
      files: await of((entry) => entry.isFile()),
    };
  }

  const onlyOwner = async () => {
    const { directories, files } = await modes();
    expect(new Set(directories)).toEqual(new Set(['700']));
    expect(files.length).toBeGreaterThan(2);
    expect(new Set(files)).toEqual(new Set(['600']));
  };

  test('the files of a running and of a stopped database', async () => {
    await open();
    await onlyOwner();
    await database.close();
    await open();
    await onlyOwner();
  });

  test('the files of an older start', async () => {
    await open();
    await database.close();
    await writeFile(join(directory, 'first-key'), 'mgw_…\n');
    await chmod(directory, 0o755);
    await chmod(join(directory, 'database'), 0o755);
    for (const name of await readdir(join(directory, 'database')))
      await chmod(join(directory, 'database', name), 0o644);
    await open();
    await onlyOwner();
  });

  test('the note with the access key', async () => {
    await open();
    const note = join(directory, 'database.json');
    expect(await modeOf(note)).toBe('600');
    expect(JSON.parse(await readFile(note, 'utf8')).endpoint).toBe(database.endpoint);
  });
});
