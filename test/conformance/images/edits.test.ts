/** Images are edited alike by every provider: what each is sent, what is refused by name, and what it costs. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readForm } from '../../../sandbox/batches/multipart.ts';
import { type FormPart, formBytes, formType } from '../../harness/form.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { addImageModels, imageModel } from '../../harness/matrix/images.ts';
import { dataUrlOf, pngOf } from '../../harness/pictures.ts';
import { answerJson, type UpstreamRequest } from '../../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway(['OPENAI', 'AZURE', 'GOOGLE', 'XAI']);

const price = { input: 5, output: 30, imageInput: 8, imageOutput: 30 };
const edits = (more: object = {}) => ({ traits: { image: { edits: more } }, price, ...seesImages });
const seesImages = { modalities: { input: ['text', 'image'], output: ['image'] } };
const eachPrice = { price: { input: 0, output: 0, image: 0.02, imageInputEach: 0.002 } };
beforeAll(() =>
  addImageModels(
    imageModel('edits/openai', 'openai', 'gpt-image-2', edits({ masks: true })),
    imageModel('edits/newest', 'openai', 'gpt-image-2.5-flare', edits({ masks: true, markup: true })),
    imageModel('edits/azure', 'azure', 'gpt-image-2', edits({ masks: true, fidelities: ['high'] })),
    imageModel('edits/google', 'google', 'gemini-3-pro-image', edits({ maxInputs: 14 })),
    imageModel('edits/xai', 'xai', 'grok-imagine-image', { ...edits({ maxInputs: 3 }), ...eachPrice }),
    imageModel('edits/unpriced', 'xai', 'grok-imagine-image', {
      ...edits(),
      price: { input: 0, output: 0, image: 0.02 },
    }),
    imageModel('edits/none', 'openai', 'gpt-image-2', seesImages),
  ),
);

const made = Buffer.from('made').toString('base64');
const usage = {
  input_tokens: 700,
  input_tokens_details: { text_tokens: 54, image_tokens: 646 },
  output_tokens: 1_000,
  output_tokens_details: { image_tokens: 1_000, text_tokens: 0 },
  total_tokens: 1_700,
};
const inOpenAi = { created: 1, data: [{ b64_json: made }], usage };
const inGoogle = {
  candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: made } }] } }],
};
const answerAll = (request: UpstreamRequest, response: Parameters<ReturnType<typeof answerJson>>[1]) =>
  answerJson(request.path.includes('generateContent') ? inGoogle : inOpenAi)(request, response);
beforeEach(() => upstream.script(answerAll));

/** Of every value of a byte, so that nothing of it is read as text. */
const every = Buffer.from(Uint8Array.from({ length: 9_000 }, (_, at) => (at * 7 + (at >> 8)) % 256));
const [first, second] = [pngOf({ more: every }), pngOf({ width: 32, more: 'second' })];
const mask = pngOf({ hasAlpha: true, more: 'mask' });

const file = (name: string, value: Buffer): FormPart => ({ name, filename: `${name}.png`, value });
const field = (name: string, value: string): FormPart => ({ name, value });

interface Answered {
  readonly data?: readonly { readonly b64_json: string }[];
  readonly usage?: object;
  readonly error?: { readonly param: string | null; readonly code: string | null; readonly message: string };
  readonly debug?: {
    readonly normalizations?: readonly object[];
    readonly dry_run?: Record<string, unknown>;
  };
}

async function post(body: Buffer | string, type: string, headers = {}) {
  const response = await fetch(`${gateway.url}/v1/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': type, ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, answer: (await response.json()) as Answered };
}

const sendForm = (model: string, parts: readonly FormPart[], headers = {}) =>
  post(formBytes(field('model', model), field('prompt', 'By day'), ...parts), formType, headers);
const sendJson = (body: object) =>
  post(JSON.stringify({ model: 'edits/openai', prompt: 'By day', ...body }), 'application/json');

const formOf = ({ headers, bytes }: UpstreamRequest) =>
  (readForm(headers['content-type'] ?? '', bytes) ?? []).map(({ name, filename, bytes: value }) => [
    name,
    filename === undefined ? value.toString() : value.toString('base64'),
  ]);
const base64 = (bytes: Buffer) => bytes.toString('base64');

const recordOf = async (headers: Headers) => {
  const id = headers.get('x-request-id');
  const authorization = `Bearer ${gateway.apiKey}`;
  const found = await fetch(`${gateway.url}/v1/usage/requests/${id}`, { headers: { authorization } });
  return await found.json();
};

describe('a target gets the images in their order, and every byte of them', () => {
  test.each(['edits/openai', 'edits/azure'])('%s as a form', async (model) => {
    await sendForm(model, [
      file('image[]', first),
      file('image', second),
      file('mask', mask),
      field('n', '2'),
    ]);
    expect(upstream.requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
      expect.stringMatching(/\/images\/edits$/),
    ]);
    expect(formOf(upstream.requests[0] as UpstreamRequest)).toEqual([
      ['model', 'gpt-image-2'],
      ['prompt', 'By day'],
      ['n', '2'],
      ['image[]', base64(first)],
      ['image[]', base64(second)],
      ['mask', base64(mask)],
    ]);
  });

  test('Google as parts before the prompt', async () => {
    await sendForm('edits/google', [file('image', first), file('image', second)]);
    expect(upstream.requests[0]?.body.contents).toEqual([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: base64(first) } },
          { inlineData: { mimeType: 'image/png', data: base64(second) } },
          { text: 'By day' },
        ],
      },
    ]);
  });

  test('xAI as data URLs, of one image or several', async () => {
    const sent = (picture: Buffer) => ({ type: 'image_url', url: dataUrlOf(picture) });
    await sendForm('edits/xai', [file('image', first)]);
    await sendForm('edits/xai', [file('image', first), file('image', second)]);
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/images/edits', '/images/edits']);
    expect(upstream.requests[0]?.body).toMatchObject({ prompt: 'By day', image: sent(first) });
    expect(upstream.requests[1]?.body).toMatchObject({ images: [sent(first), sent(second)] });
    expect(upstream.requests[1]?.body).not.toHaveProperty('image');
  });

  test('from JSON with data URLs, too', async () => {
    const images = [first, second].map((picture) => ({ image_url: dataUrlOf(picture) }));
    const { status } = await sendJson({ images, mask: { image_url: dataUrlOf(mask) } });
    expect(status).toBe(200);
    const sent = formOf(upstream.requests[0] as UpstreamRequest);
    expect(sent.slice(-3)).toEqual([
      ['image[]', base64(first)],
      ['image[]', base64(second)],
      ['mask', base64(mask)],
    ]);
  });

  test('and the next target the same, after one that fails', async () => {
    upstream.script((request, response) =>
      request.path.startsWith('/images/edits') && request.headers['content-type']?.startsWith('multipart')
        ? answerJson({ error: { message: 'no', type: 'server_error' } }, 500)(request, response)
        : answerAll(request, response),
    );
    const { status } = await sendForm('edits/openai', [
      file('image', first),
      field('extra[fallbacks][]', 'edits/google'),
    ]);
    expect(status).toBe(200);
    const attempts = upstream.requests.slice(0, -1).map((request) => formOf(request).at(-1));
    expect(attempts.length).toBeGreaterThan(1);
    expect(new Set(attempts.map((sent) => JSON.stringify(sent)))).toEqual(
      new Set([JSON.stringify(['image', base64(first)])]),
    );
    expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain(base64(first));
  });
});

describe('what a target does not have', () => {
  test('is left out on record: markup, fidelity', async () => {
    const markup = file('markup', mask);
    const parts = [file('image', first), markup, field('input_fidelity', 'high')];
    const debug = field('extra[debug][]', 'normalizations');
    const { answer } = await sendForm('edits/openai', [...parts, debug]);
    expect(answer.debug?.normalizations).toEqual([
      expect.objectContaining({ param: 'input_fidelity', action: 'strip', before: 'high' }),
      expect.objectContaining({ param: 'markup', action: 'strip' }),
    ]);
    await sendForm('edits/newest', [file('image', first), markup]);
    await sendForm('edits/azure', [file('image', first), field('input_fidelity', 'high')]);
    const sent = upstream.requests.map((request) => formOf(request).map(([name]) => name));
    expect(sent).toEqual([
      ['model', 'prompt', 'image'],
      ['model', 'prompt', 'image', 'markup'],
      ['model', 'prompt', 'input_fidelity', 'image'],
    ]);
  });

  test.each<[string, string, readonly FormPart[]]>([
    ['a mask', 'mask', [file('mask', mask)]],
    ['more images than it takes', 'image.3', Array<FormPart>(3).fill(file('image', second))],
  ])('is refused before it is asked: %s', async (_, param, more) => {
    const { status, answer } = await sendForm('edits/xai', [file('image', first), ...more]);
    expect([status, answer.error?.param, upstream.requests.length]).toEqual([400, param, 0]);
    const fallback = field('extra[fallbacks][]', 'edits/xai');
    const later = await sendForm('edits/openai', [file('image', first), ...more, fallback]);
    expect([later.status, later.answer.error?.param]).toEqual([400, 'extra.fallbacks.0']);
  });

  test('is editing', async () => {
    const { status, answer } = await sendForm('edits/none', [file('image', first)]);
    expect([status, answer.error?.code, answer.error?.param]).toEqual([
      400,
      'unsupported_operation',
      'model',
    ]);
  });
});

const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080040003001011100', 'hex');
test('the mask of a JPEG may be turned, as cameras do', async () => {
  const turned = pngOf({ width: 64, height: 48, hasAlpha: true });
  const { status } = await sendForm('edits/openai', [file('image', jpeg), file('mask', turned)]);
  expect(status).toBe(200);
});

test.each<[string, string, readonly FormPart[]]>([
  ['no image', 'image', []],
  ['an image that is a text', 'image', [field('image', 'https://example.com/a.png')]],
  ['a file that is no image', 'image', [file('image', Buffer.from('no image'))]],
  ['a GIF', 'image.1', [file('image', first), file('image', Buffer.from('GIF89a'))]],
  ['seventeen images', 'image', Array<FormPart>(17).fill(file('image', second))],
  ['a mask that is no PNG', 'mask', [file('image', first), file('mask', jpeg)]],
  ['a mask of another size', 'mask', [file('image', second), file('mask', mask)]],
  ['a mask without an alpha channel', 'mask', [file('image', first), file('mask', first)]],
  ['a mask and markup', 'markup', [file('image', first), file('mask', mask), file('markup', mask)]],
  ['two masks', 'mask', [file('image', first), file('mask', mask), file('mask', mask)]],
  ['a field of generations', 'moderation', [file('image', first), field('moderation', 'low')]],
  ['a number that is none', 'n', [file('image', first), field('n', 'two')]],
  ['several images of a stream', 'n', [file('image', first), field('n', '2'), field('stream', 'true')]],
])('a form with %s is refused by name', async (_, param, parts) => {
  const { status, answer } = await sendForm('edits/openai', parts);
  expect([status, answer.error?.param, upstream.requests.length]).toEqual([400, param, 0]);
});

test('a mask above 4 MB is refused by name', async () => {
  const large = file('mask', pngOf({ hasAlpha: true, more: Buffer.alloc(4 * 1024 * 1024) }));
  const { status, answer } = await sendForm('edits/openai', [file('image', first), large]);
  expect([status, answer.error?.param]).toEqual([413, 'mask']);
});

const picture = { image_url: dataUrlOf(first) };
test.each([
  ['images', {}],
  ['images', { images: [] }],
  ['image.0', { image: [{ bytes: [1] }] }],
  ['images.0.image_url', { images: [{ image_url: 'ftp://example.com/a.png' }] }],
  ['images.0.image_url', { images: [{ image_url: 'data:image/png;base64,AAAA' }] }],
  ['images.1.image_url', { images: [picture, { image_url: 'https://127.0.0.1/a.png' }] }],
  ['images.0.image_url', { images: [{ image_url: 'https://169.254.169.254/latest/meta-data' }] }],
  ['mask.image_url', { images: [picture], mask: { image_url: 'https://[fd00::1]/a.png' } }],
  ['mask', { images: [picture], mask: 'https://example.com/a.png' }],
])('JSON with a wrong %s is refused by name: %j', async (param, body) => {
  const { status, answer } = await sendJson(body);
  expect([status, answer.error?.param, upstream.requests.length]).toEqual([
    400,
    param === 'images' && !('images' in body) ? 'image' : param,
    0,
  ]);
});

describe('what it costs', () => {
  test('is what the provider counts, of images, too', async () => {
    const { headers } = await sendForm('edits/openai', [file('image', first), file('image', second)]);
    expect(await recordOf(headers)).toMatchObject({
      // 54 tokens of 5 dollars a million, 646 of 8, 1,000 of 30.
      cost_nano_usd: 54 * 5_000 + 646 * 8_000 + 1_000 * 30_000,
    });
  });

  test('is a price of each image, where the provider has one, and unknown without it', async () => {
    upstream.script(answerJson({ data: [{ b64_json: made }] }));
    const images = [file('image', first), file('image', second)];
    const { headers } = await sendForm('edits/xai', images);
    expect(await recordOf(headers)).toMatchObject({
      cost_nano_usd: 24_000_000,
      attempts: [
        {
          usage: { input_images: 2 },
          arithmetic: expect.arrayContaining([
            expect.objectContaining({ what: 'imageInputEach', quantity: 2 }),
          ]),
        },
      ],
    });
    const unpriced = await sendForm('edits/unpriced', images);
    expect(await recordOf(unpriced.headers)).toMatchObject({ cost_nano_usd: null });
  });

  test('is bounded before, and shown by a dry run with the files that would be sent', async () => {
    const { answer } = await sendForm('edits/openai', [
      file('image', first),
      field('extra[dry_run]', 'true'),
    ]);
    expect(answer.debug?.dry_run).toMatchObject({
      sent: { prompt: 'By day', image: `image/png, ${first.length} bytes` },
      // A prompt of 6 bytes and 64 tokens around it, an image of at most 10,000, and one that is made of at most 16,384.
      highest_cost: (10_070 * 8 + 16_384 * 30) / 1e6,
    });
    expect(upstream.requests).toHaveLength(0);
    const several = await sendForm('edits/openai', [
      ...[first, second].map((picture) => file('image', picture)),
      field('extra[dry_run]', 'true'),
    ]);
    expect(several.answer.debug?.dry_run?.sent).toMatchObject({
      'image[]': [first, second].map(({ length }) => `image/png, ${length} bytes`),
    });
    const each = await sendForm('edits/xai', [file('image', first), field('extra[dry_run]', 'true')]);
    expect(each.answer.debug?.dry_run).toMatchObject({ highest_cost: 0.022 });
    const unknown = await sendForm('edits/unpriced', [file('image', first), field('extra[dry_run]', 'true')]);
    expect(unknown.answer.debug?.dry_run).toMatchObject({ highest_cost: null });
  });
});

test('a form that is sent again with its idempotency key, and another boundary, is answered from the first', async () => {
  const headers = { 'idempotency-key': 'edit-once' };
  const parts = [field('model', 'edits/openai'), field('prompt', 'By day'), file('image', first)];
  const bodies = ['one', 'two'].map((boundary) => ({
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.from(
      formBytes(...parts)
        .toString('latin1')
        .replaceAll(formType.split('boundary=')[1] ?? '', boundary),
      'latin1',
    ),
  }));
  const answers = [];
  for (const { body, type } of bodies) answers.push(await post(body, type, headers));
  expect(answers[1]?.answer).toEqual(answers[0]?.answer);
  expect(answers[1]?.headers.get('idempotent-replayed')).toBe('true');
  expect(upstream.requests).toHaveLength(1);
});
