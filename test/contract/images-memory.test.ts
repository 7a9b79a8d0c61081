/**
 * Images of many megabytes through the built bundle under the real Lambda runtime client: every byte arrives, and the
 * process never holds more than one copy of them.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildAll } from '../../infra/build.ts';
import { seedCatalog } from '../../infra/catalog/seed.ts';
import { type LocalDatabase, startDatabase } from '../../infra/local/database.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import { createCatalogStore } from '../../lib/stores/catalog.ts';
import { createKeyStore } from '../../lib/stores/keys.ts';
import { type LambdaEngine, startLambdaEngine } from '../harness/lambda/engine.ts';
import { startUpstream, type Upstream } from '../harness/upstream.ts';

const megabyte = 1024 * 1024;

let directory: string;
let database: LocalDatabase;
let upstream: Upstream;
let engine: LambdaEngine;
let apiKey: string;
let start: () => Promise<LambdaEngine>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lambda-'));
  const bundles = join(directory, 'dist');
  [database, upstream] = await Promise.all([
    startDatabase({ dataDirectory: directory }),
    startUpstream(),
    buildAll(bundles),
  ]);
  const { call, endpoint } = database;
  await seedCatalog(createCatalogStore({ call, table: 'catalog' }));
  apiKey = (await createKeyStore({ call, table: 'access' }).create({ tenant: 'acme' })).secret;
  start = () =>
    startLambdaEngine({
      bundle: join(bundles, 'images-generations/index.mjs'),
      environment: {
        CATALOG_TABLE: 'catalog',
        ACCESS_TABLE: 'access',
        DYNAMODB_ENDPOINT: endpoint,
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        OPENAI_API_KEY: 'a-provider-key',
        OPENAI_UPSTREAM_URL: upstream.url,
        GOOGLE_API_KEY: 'a-provider-key',
        GOOGLE_UPSTREAM_URL: upstream.url,
      },
    });
});

// What an earlier answer left behind would blur how much the next one takes.
beforeEach(async () => {
  engine = await start();
});
afterEach(() => engine?.close());

afterAll(async () => {
  await upstream?.close();
  await database?.close();
  await rm(directory, { recursive: true, force: true });
});

/** Asks, and reads the answer after a while without keeping it: the digest of its list of images. */
async function draw(body: object, restMs = 0) {
  const { path } = operationNamed('images-generations');
  const answer = await engine.invoke({
    resource: path,
    path,
    httpMethod: 'POST',
    queryStringParameters: null,
    requestContext: { requestId: 'request-1' },
    isBase64Encoded: false,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'A fox', ...body }),
  });
  await pause(restMs);
  const digest = createHash('sha256');
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const { data } of answer.chunks) {
    if (head) {
      head = Buffer.concat([head, data]);
      const begin = head.indexOf(listBegins);
      if (begin < 0) continue;
      digest.update(head.subarray(begin));
      head = undefined;
    } else digest.update(data);
  }
  return { prelude: answer.prelude, digest: digest.digest('hex') };
}

const listBegins = '"data":[';

const imagesOf = (count: number, bytes: number) =>
  Array.from({ length: count }, () => randomBytes(Math.ceil((bytes * 3) / 4 / count)).toString('base64'));

const expectedOf = (images: readonly string[]) =>
  createHash('sha256')
    .update(`${listBegins}${images.map((image) => `{"b64_json":"${image}"}`).join(',')}]}`)
    .digest('hex');

function answerOpenai(images: readonly string[]): void {
  const body = JSON.stringify({ created: 1, data: images.map((b64_json) => ({ b64_json })) });
  upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
}

/** Each call gets the next image, with a signature of the same size that nobody wants. */
function answerGemini(images: readonly string[]): void {
  const left = [...images];
  upstream.script((_request, response) => {
    const data = left.shift() ?? '';
    const part = { inlineData: { mimeType: 'image/png', data }, thoughtSignature: data };
    const body = JSON.stringify({ candidates: [{ content: { parts: [part] } }] });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body.replaceAll('/', '\\/'));
  });
}

/** The most memory the process has held since the last look, in bytes. */
function mostHeld(): number {
  const status = readFileSync(`/proc/${engine.pid}/status`, 'utf8');
  writeFileSync(`/proc/${engine.pid}/clear_refs`, '5');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

const canLook = existsSync('/proc/self/clear_refs');

/** Beside the answer itself: what passes through on its way, and what is not yet collected. */
const slack = 40 * megabyte;

describe.runIf(canLook)('the images of an answer are held once, and arrive as they were', () => {
  test.each([
    [20, 1, 0],
    [60, 1, 0],
    [60, 10, 0],
    [150, 6, 1000],
  ])('%i MB in %i images, for a caller who reads after %i ms', async (size, count, restMs) => {
    answerOpenai(imagesOf(1, 10_000));
    await draw({ model: 'openai/gpt-image-2' });
    const images = imagesOf(count, size * megabyte);
    answerOpenai(images);
    mostHeld();
    const before = mostHeld();
    const { prelude, digest } = await draw({ model: 'openai/gpt-image-2', n: count }, restMs);
    const grown = mostHeld() - before;
    expect(prelude).toMatchObject({ statusCode: 200 });
    expect(digest).toBe(expectedOf(images));
    expect(grown).toBeLessThan(1.1 * size * megabyte + slack);
  });
});

test('more than a function can stream is refused, not half sent', async () => {
  answerOpenai(imagesOf(2, 200 * megabyte));
  const { prelude } = await draw({ model: 'openai/gpt-image-2', n: 2 });
  expect(prelude).toMatchObject({ statusCode: 500 });
});

test('images of several calls are joined, whatever their answers hold beside them', async () => {
  const images = imagesOf(4, 16 * megabyte);
  answerGemini(images);
  const { digest, prelude } = await draw({ model: 'google/gemini-2.5-flash-image', n: 4 });
  expect(prelude).toMatchObject({ statusCode: 200 });
  expect(digest).toBe(expectedOf(images));
});
