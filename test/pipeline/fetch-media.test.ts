/** What is fetched for a provider, and what the provider gets of it. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ContentPart } from '../../lib/core/generation/request.ts';
import type { FetchMedia } from '../../lib/core/ports/media.ts';
import { withFetchedMedia } from '../../lib/pipeline/fetch-media.ts';
import { openai } from '../../lib/providers/openai/provider.ts';
import { testRequest } from '../harness/matrix/model.ts';

const { signal } = new AbortController();
const url = 'https://example.com/a';

/** Gives every URL this content, and notes what was asked for. */
async function fetchedFor(part: ContentPart, bytes: string, mediaType: string) {
  const asked: string[] = [];
  const fetchMedia: FetchMedia = async (_url, { kind, param }) => {
    asked.push(`${kind} ${param}`);
    return { mediaType, base64: btoa(bytes) };
  };
  const request = testRequest({}, { messages: [{ role: 'user', content: [part] }] });
  const ready = await withFetchedMedia(
    request,
    { ...openai.generation, takesImageUrls: false },
    fetchMedia,
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

describe('many links', () => {
  const images = Array.from(
    { length: 30 },
    (_, index): ContentPart => ({ type: 'image', url: `${url}${index}` }),
  );
  const request = testRequest({}, { messages: [{ role: 'user', content: images }] });
  const generation = { ...openai.generation, takesImageUrls: false };

  test('are fetched a few at a time, and stay in their order', async () => {
    let now = 0;
    let most = 0;
    const ready = await withFetchedMedia(
      request,
      generation,
      async (link) => {
        now += 1;
        most = Math.max(most, now);
        await setImmediate();
        now -= 1;
        return { mediaType: 'image/png', base64: btoa(link) };
      },
      signal,
    );
    expect(most).toBeLessThanOrEqual(8);
    const urls = ready.messages[0]?.content.map((part) => (part.type === 'image' ? part.url : ''));
    expect(urls).toEqual(images.map((_, index) => `data:image/png;base64,${btoa(`${url}${index}`)}`));
  });

  test('may not lead to more than 48 MB together', async () => {
    const base64 = 'A'.repeat(8 * 1024 * 1024);
    let asked = 0;
    const fetchMedia: FetchMedia = async () => {
      asked += 1;
      return { mediaType: 'image/png', base64 };
    };
    await expect(withFetchedMedia(request, generation, fetchMedia, signal)).rejects.toMatchObject({
      kind: 'invalid_request',
      param: expect.stringMatching(/^messages\.0\.content\.\d+\.image_url\.url$/),
    });
    expect(asked).toBeLessThan(30);
  });
});
