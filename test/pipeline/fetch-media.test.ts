/** What is fetched for a provider, and what the provider gets of it. */
import { expect, test } from 'vitest';
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
