/**
 * Images of many megabytes with the built bundle and the real Lambda runtime client: every byte arrives, and the process
 * never holds more than one copy of them.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { useBundle } from '../harness/lambda/use-bundle.ts';

const megabyte = 1024 * 1024;

// Memory left by an earlier answer would distort the measurement of the next one.
const bundle = useBundle('images-generations', {
  isNewForEach: true,
  environment: (url) => ({ GOOGLE_API_KEY: 'a-provider-key', GOOGLE_UPSTREAM_URL: url }),
});

/** Sends a request and reads the answer with a delay, without storing it: returns the digest of its list of images. */
async function generate(body: object, restMs = 0) {
  const answer = await bundle.invoke({ prompt: 'A fox', ...body });
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
  bundle.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
}

/** Each call returns the next image, with an ignored signature of the same size. */
function answerGemini(images: readonly string[]): void {
  const left = [...images];
  bundle.upstream.script((_request, response) => {
    const data = left.shift() ?? '';
    const part = { inlineData: { mimeType: 'image/png', data }, thoughtSignature: data };
    const body = JSON.stringify({ candidates: [{ content: { parts: [part] } }] });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body.replaceAll('/', '\\/'));
  });
}

/** The peak memory of the process since the last call, in bytes. */
function maxHeld(): number {
  const status = readFileSync(`/proc/${bundle.engine.pid}/status`, 'utf8');
  writeFileSync(`/proc/${bundle.engine.pid}/clear_refs`, '5');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

const canLook = existsSync('/proc/self/clear_refs');

/** In addition to the answer: data in transit, and what is not garbage-collected yet. */
const slack = 40 * megabyte;

describe.runIf(canLook)('the images of an answer are held in memory once, and arrive unchanged', () => {
  test.each([
    [20, 1, 0],
    [60, 1, 0],
    [60, 10, 0],
    [150, 6, 1000],
  ])('%i MB in %i images, for a client that reads after %i ms', async (size, count, restMs) => {
    answerOpenai(imagesOf(1, 10_000));
    await generate({ model: 'openai/gpt-image-2' });
    const images = imagesOf(count, size * megabyte);
    answerOpenai(images);
    maxHeld();
    const before = maxHeld();
    const { prelude, digest } = await generate({ model: 'openai/gpt-image-2', n: count }, restMs);
    const grown = maxHeld() - before;
    expect(prelude).toMatchObject({ statusCode: 200 });
    expect(digest).toBe(expectedOf(images));
    expect(grown).toBeLessThan(1.25 * size * megabyte + slack);
  });
});

test('an answer above the limit of a function is rejected, not truncated', async () => {
  answerOpenai(imagesOf(2, 200 * megabyte));
  const { prelude } = await generate({ model: 'openai/gpt-image-2', n: 2 });
  expect(prelude).toMatchObject({ statusCode: 500 });
});

test('images of several calls are joined, whatever else the answers contain', async () => {
  const images = imagesOf(4, 16 * megabyte);
  answerGemini(images);
  const { digest, prelude } = await generate({ model: 'google/gemini-2.5-flash-image', n: 4 });
  expect(prelude).toMatchObject({ statusCode: 200 });
  expect(digest).toBe(expectedOf(images));
});
