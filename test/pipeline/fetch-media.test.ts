/** What is fetched for a provider, and what the provider gets of it. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { ContentPart } from '../../lib/core/generation/request.ts';
import type { FetchMedia } from '../../lib/core/ports/media.ts';
import { withFetchedMedia } from '../../lib/pipeline/media/fetch-media.ts';
import { createRequestMedia } from '../../lib/pipeline/media/request-media.ts';
import { openai } from '../../lib/providers/openai/provider.ts';
import { testRequest } from '../harness/matrix/model.ts';

const { signal } = new AbortController();
const url = 'https://example.com/a';

const bytesOf = (bytes: Buffer) => ({ blocks: [bytes], length: bytes.length });

/** As base64 it has a megabyte. */
const largeImage = { mediaType: 'image/png', ...bytesOf(Buffer.alloc((1024 * 1024 * 3) / 4)) };

/** Gives every URL this content, and notes what was asked for. */
async function fetchedFor(part: ContentPart, bytes: string, mediaType: string) {
  const asked: string[] = [];
  const fetchMedia: FetchMedia = async (_url, { kind, param }) => {
    asked.push(`${kind} ${param}`);
    return { mediaType, ...bytesOf(Buffer.from(bytes, 'latin1')) };
  };
  const request = testRequest({}, { messages: [{ role: 'user', content: [part] }] });
  const ready = await withFetchedMedia(
    request,
    { ...openai.generation, takesImageUrls: false },
    createRequestMedia(fetchMedia),
    signal,
  );
  return { asked, part: structuredClone(ready.messages[0]?.content[0]) };
}

test('a text file becomes text with its name', async () => {
  const file: ContentPart = { type: 'file', url, filename: 'a"b.csv', mediaType: 'text/csv', asText: true };
  expect(await fetchedFor(file, 'a,b', 'text/plain')).toEqual({
    asked: ['text messages.0.content.0.file.file_data'],
    part: { type: 'text', text: '<file name="a_b.csv">\na,b\n</file>' },
  });
});

test('a text file that is no text is refused with its field', async () => {
  const file: ContentPart = { type: 'file', url, mediaType: 'text/csv', asText: true };
  await expect(fetchedFor(file, '\xe9', 'text/plain')).rejects.toMatchObject({
    kind: 'invalid_request',
    param: 'messages.0.content.0.file.file_data',
  });
});

test('a video, an office document and an image become data of their type', async () => {
  const video = await fetchedFor({ type: 'video', url }, 'film', 'video/mp4');
  expect(video.asked).toEqual(['video messages.0.content.0.video_url.url']);
  expect(video.part).toEqual({ type: 'video', url: `data:video/mp4;base64,${btoa('film')}` });
  const office = await fetchedFor(
    { type: 'file', url, mediaType: 'application/msword' },
    'doc',
    'application/x-cfb',
  );
  expect(office.asked).toEqual(['office messages.0.content.0.file.file_data']);
  const image = await fetchedFor({ type: 'image', url }, 'png', 'image/png');
  expect(image.part).toEqual({ type: 'image', url: `data:image/png;base64,${btoa('png')}` });
});

const generation = { ...openai.generation, takesImageUrls: false };

const imagesAt = (urls: readonly string[]) => {
  const content = urls.map((one): ContentPart => ({ type: 'image', url: one }));
  return testRequest({}, { messages: [{ role: 'user', content }] });
};

const links = (count: number) => Array.from({ length: count }, (_, index) => `${url}${index}`);

test('links are fetched a few at a time, and stay in their order', async () => {
  let now = 0;
  let max = 0;
  const media = createRequestMedia(async (link) => {
    now += 1;
    max = Math.max(max, now);
    await setImmediate();
    now -= 1;
    return { mediaType: 'image/png', ...bytesOf(Buffer.from(link)) };
  });
  const ready = await withFetchedMedia(imagesAt(links(20)), generation, media, signal);
  expect(max).toBe(4);
  const urls = ready.messages[0]?.content.map((part) => (part.type === 'image' ? part.url : ''));
  expect(urls).toEqual(links(20).map((link) => `data:image/png;base64,${btoa(link)}`));
});

test('what is sent often counts as often: one large image in many parts is refused', async () => {
  const media = createRequestMedia(async () => largeImage);
  const request = imagesAt(Array.from({ length: 40 }, () => url));
  await expect(withFetchedMedia(request, generation, media, signal)).rejects.toMatchObject({
    kind: 'invalid_request',
    param: 'messages.0.content.26.image_url.url',
    message: expect.stringContaining('26.7 MB'),
  });
});

test('a provider with a smaller limit gets no body above it', async () => {
  const media = createRequestMedia(async () => largeImage);
  const small = { ...generation, maxRequestBytes: 3 * 1024 * 1024 };
  await expect(withFetchedMedia(imagesAt(links(4)), small, media, signal)).rejects.toMatchObject({
    kind: 'invalid_request',
    param: 'messages.0.content.2.image_url.url',
    message: expect.stringContaining('3.0 MB'),
  });
  await expect(withFetchedMedia(imagesAt(links(2)), small, media, signal)).resolves.toBeDefined();
});

test('a link that fails stops the others, and no later target fetches again', async () => {
  const asked: string[] = [];
  const stopped: string[] = [];
  const media = createRequestMedia(async (link, { signal: ending, param }) => {
    asked.push(link);
    if (link.endsWith('1')) throw new GatewayError('invalid_request', 'Gone.', { param });
    return await new Promise((_, reject) =>
      ending?.addEventListener('abort', () => {
        stopped.push(link);
        reject(new GatewayError('client_closed', 'Stopped.'));
      }),
    );
  });
  for (const _target of ['first', 'fallback']) {
    const ready = withFetchedMedia(imagesAt(links(9)), generation, media, signal);
    await expect(ready).rejects.toMatchObject({
      message: 'Gone.',
      param: 'messages.0.content.1.image_url.url',
    });
  }
  expect(asked).toHaveLength(4);
  expect(stopped).toHaveLength(3);
});
