/** Images by URL for a provider that fetches none: few downloads, each once, and none after the caller has left. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readBy } from '../attack/memory.ts';
import { startMediaGateway } from '../harness/gateways/media-gateway.ts';
import { answerJson } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';

const gateway = use(() => startMediaGateway());

const png = Buffer.from('\x89PNG\r\n\x1a\n and more', 'latin1');
const dataUrl = `data:image/png;base64,${png.toString('base64')}`;

const imagesAt = (urls: readonly string[], more: object = {}) => ({
  model: 'media/first',
  messages: [{ role: 'user', content: urls.map((url) => ({ type: 'image_url', image_url: { url } })) }],
  ...more,
});

const different = (count: number) =>
  Array.from({ length: count }, (_, index) => `${gateway.media.url}/${index}.png`);

const answer = answerJson({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Seen.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

const failing = answerJson({ error: { message: 'Busy.' } }, 503);

/** The URLs of images that the provider got, by request. */
const sent = () =>
  gateway.provider.requests.map(({ body }) =>
    (body.messages as { content: { image_url: { url: string } }[] }[]).flatMap(({ content }) =>
      content.map(({ image_url }) => image_url.url),
    ),
  );

test('twenty images are fetched once each, four at a time, for all attempts and the fallback', async () => {
  gateway.media.answer((_request, response) => setTimeout(() => response.end(png), 20));
  gateway.provider.script((request, response) =>
    (request.body.model === 'second' ? answer : failing)(request, response),
  );
  const urls = different(20);
  const response = await gateway.post(imagesAt([...urls, ...urls], { models: ['media/second'] }));
  expect(response.status).toBe(200);
  expect(gateway.media.asked.toSorted()).toEqual(urls.map((url) => new URL(url).pathname).toSorted());
  expect(gateway.media.maxAnswering()).toBeLessThanOrEqual(4);
  expect(sent()).toHaveLength(3);
  for (const images of sent()) expect(images).toEqual(Array.from({ length: 40 }, () => dataUrl));
});

test('one URL in a thousand parts is one download', async () => {
  gateway.media.answer((_request, response) => response.end(png));
  gateway.provider.script(answer);
  const [url = ''] = different(1);
  const response = await gateway.post(imagesAt(Array.from({ length: 1000 }, () => url)));
  expect(response.status).toBe(200);
  expect(gateway.media.asked).toEqual(['/0.png']);
});

test('the twenty-first URL is refused with its field and the limit, and nothing is fetched or sent', async () => {
  gateway.media.answer((_request, response) => response.end(png));
  gateway.provider.script(answer);
  for (const more of [{}, { models: ['media/second'] }]) {
    const response = await gateway.post(imagesAt(different(1000), more));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: {
        param: 'messages.0.content.20.image_url.url',
        message: expect.stringContaining('at most 20 different URLs'),
      },
    });
  }
  expect(gateway.media.asked).toEqual([]);
  expect(gateway.provider.requests).toEqual([]);
});

test('what the images have together is limited, and what is left over is not read', async () => {
  let written = 0;
  const readBefore = readBy(process.pid);
  const piece = Buffer.alloc(64 * 1024);
  gateway.media.answer((_request, response) => {
    response.write(png);
    const more = () => {
      if (response.destroyed || written > 400_000_000) return void response.end();
      written += piece.length;
      if (response.write(piece)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  });
  gateway.provider.script(answer);
  const response = await gateway.post(imagesAt(different(20)));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { param: expect.stringMatching(/^messages\.0\.content\.[0-3]\.image_url\.url$/) },
  });
  expect(gateway.provider.requests).toEqual([]);
  expect(gateway.media.asked.length).toBeLessThanOrEqual(4);
  expect(readBy(process.pid) - readBefore).toBeLessThan(40_000_000);
});

test('redirects of all URLs together are limited', async () => {
  const redirect = (hops: number) =>
    gateway.media.answer((request, response) => {
      const [, name, hop = '0'] = (request.url ?? '').split('/');
      if (Number(hop) === hops) response.end(png);
      else response.writeHead(302, { location: `/${name}/${Number(hop) + 1}` }).end();
    });
  gateway.provider.script(answer);
  redirect(2);
  expect((await gateway.post(imagesAt(different(20)))).status).toBe(200);
  expect(gateway.media.asked).toHaveLength(60);
  redirect(3);
  const response = await gateway.post(imagesAt(different(20)));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('redirects') } });
  expect(gateway.media.asked.length).toBeLessThanOrEqual(60);
});

test('downloads end when the caller leaves', async () => {
  gateway.media.answer((_request, response) => response.writeHead(200));
  gateway.provider.script(answer);
  const caller = new AbortController();
  const posted = gateway.post(imagesAt(different(20)), { signal: caller.signal }).catch(() => undefined);
  await expect.poll(() => gateway.media.asked.length).toBe(4);
  caller.abort();
  await posted;
  await expect.poll(() => gateway.media.open()).toBe(0);
  await sleep(50);
  expect(gateway.media.asked).toHaveLength(4);
  expect(gateway.provider.requests).toEqual([]);
});

test('many requests together open four connections to one host', async () => {
  gateway.media.answer((_request, response) => setTimeout(() => response.end(png), 10));
  gateway.provider.script(answer);
  const posted = await Promise.all([1, 2, 3].map(() => gateway.post(imagesAt(different(8)))));
  expect(posted.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(gateway.media.asked).toHaveLength(24);
  expect(gateway.media.maxAnswering()).toBeLessThanOrEqual(4);
});

test('images that wait for others of their host are not too late', async () => {
  const patient = await startMediaGateway({ timeoutMs: 1_000 });
  try {
    patient.media.answer((_request, response) => setTimeout(() => response.end(png), 200));
    patient.provider.script(answer);
    const ask = (request: number) =>
      patient.post(
        imagesAt(Array.from({ length: 4 }, (_, index) => `${patient.media.url}/${request}/${index}.png`)),
      );
    const responses = await Promise.all(Array.from({ length: 10 }, (_, request) => ask(request)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(patient.media.maxAnswering()).toBeLessThanOrEqual(4);
  } finally {
    await patient.close();
  }
});
