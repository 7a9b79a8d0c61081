/** Images are edited through the official SDK, which sends forms, with models of every provider that edits. */
import OpenAI, { BadRequestError, toFile } from 'openai';
import { beforeAll, expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { addImageModels, imageRows, lookAt } from '../../harness/matrix/images.ts';
import { pngOf } from '../../harness/pictures.ts';

const gateway = useGateway();
let client: OpenAI;
beforeAll(async () => {
  await addImageModels();
  client = new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey, maxRetries: 0 });
});

const model = 'openai/gpt-image-2.5-flare';
const prompt = 'By day';
const picture = (name: string, png = pngOf({ more: name })) => toFile(png, name, { type: 'image/png' });

/** What the sandbox writes behind an image: what it was asked, and of how many images it is made. */
const madeOf = (b64_json = '') =>
  /\n\d+x\d+ (.*)$/.exec(Buffer.from(b64_json, 'base64').toString('latin1'))?.[1];

test.each(imageRows)('$provider edits one image, and three', async ({ model: id, counts, format }) => {
  const one = await client.images.edit({ model: id, prompt, image: await picture('a.png') });
  expect(madeOf(one.data?.[0]?.b64_json)).toBe(
    'By day of 1 0'.slice(0, id.startsWith('google') ? -2 : undefined),
  );
  expect(lookAt(one.data?.[0]?.b64_json ?? '').format).toBe(format);
  const image = await Promise.all(['a.png', 'b.png', 'c.png'].map((name) => picture(name)));
  const three = await client.images.edit({ model: id, prompt, image, size: '1024x1024' });
  expect(madeOf(three.data?.[0]?.b64_json)).toMatch(/^By day of 3/);
  if (!counts) return expect(three.usage).toBeUndefined();
  const [small, large] = [one, three].map(({ usage }) => usage?.input_tokens_details.image_tokens ?? 0);
  expect(small).toBeGreaterThan(0);
  expect(large).toBe((small ?? 0) * 3);
});

test('a mask goes along, and one of another size is refused with both sizes', async () => {
  const mask = await picture('mask.png', pngOf({ hasAlpha: true }));
  const edited = await client.images.edit({ model, prompt, image: await picture('a.png'), mask, n: 2 });
  expect(edited.data?.map(({ b64_json }) => madeOf(b64_json))).toEqual(['By day of 2 0', 'By day of 2 1']);
  const small = await picture('mask.png', pngOf({ width: 32, hasAlpha: true }));
  const refused = await client.images
    .edit({ model, prompt, image: await picture('a.png'), mask: small })
    .catch((error) => error);
  expect(refused).toBeInstanceOf(BadRequestError);
  expect(refused).toMatchObject({ param: 'mask', message: expect.stringMatching(/64x48.*32x48/) });
});

test('the stream of an edit has two unfinished images, and then the finished one', async () => {
  const image = await picture('a.png');
  const stream = await client.images.edit({ model, prompt, image, stream: true, partial_images: 2 });
  const events = [];
  for await (const event of stream) events.push(event);
  expect(events.map((event) => [event.type, madeOf(event.b64_json)])).toEqual([
    ['image_edit.partial_image', 'By day of 1 partial 0'],
    ['image_edit.partial_image', 'By day of 1 partial 1'],
    ['image_edit.completed', 'By day of 1 0'],
  ]);
  expect(events.at(-1)).toMatchObject({ usage: { input_tokens_details: { image_tokens: 323 } } });
});
