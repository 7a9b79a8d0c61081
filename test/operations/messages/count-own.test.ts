/** The gateway's own count: never below what providers reported, for texts, tools, images and documents. */
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Target } from '../../../lib/core/catalog/model.ts';
import { imageSize } from '../../../lib/core/formats/image-size.ts';
import type { ContentPart, GenerationRequest } from '../../../lib/core/generation/request.ts';
import { countOwn } from '../../../lib/pipeline/own-count/count-own.ts';
import { countPages, maxScanned } from '../../../lib/pipeline/own-count/pdf-pages.ts';
import { countedRequests } from '../../harness/recorded/counted-requests.ts';
import { hasRecordings } from '../../harness/recorded/recordings.ts';

const never = new AbortController().signal;
const target = (owner: string) => ({ model: { id: `${owner}/model` } }) as unknown as Target;
const count = (request: GenerationRequest, owner = 'meta') => countOwn(request, target(owner), never);

const recorded = countedRequests();

describe.skipIf(!hasRecordings)('recorded requests', () => {
  test.each(recorded)('$name: not below $inputTokens', async ({ owner, request, inputTokens }) => {
    expect(await count(request, owner)).toBeGreaterThanOrEqual(inputTokens);
  });

  test('and not far above them', async () => {
    const excess = await Promise.all(
      recorded.map(async ({ owner, request, inputTokens }) => {
        const over = (await count(request, owner)) - inputTokens;
        // A share of a long request, and some hundred tokens of a short one.
        return over / Math.max(inputTokens, 1_000);
      }),
    );
    const sorted = excess.toSorted((one, other) => one - other);
    expect(recorded.length).toBeGreaterThan(50);
    expect(sorted[Math.floor(sorted.length * 0.5)]).toBeLessThan(0.25);
    expect(sorted[Math.floor(sorted.length * 0.95)]).toBeLessThan(0.6);
  });
});

const user = (...content: readonly ContentPart[]): GenerationRequest => ({
  messages: [{ role: 'user', content }],
  tools: [],
  parameters: {},
  stream: false,
});
const text = (words: string): ContentPart => ({ type: 'text', text: words });
const base64 = (bytes: Buffer | string) => Buffer.from(bytes as Buffer).toString('base64');
const image = (bytes: Buffer): ContentPart => ({
  type: 'image',
  url: `data:image/png;base64,${base64(bytes)}`,
});
const pdf = (bytes: Buffer | string): ContentPart => ({
  type: 'file',
  url: `data:application/pdf;base64,${base64(bytes)}`,
});
const added = async (part: ContentPart, owner?: string) =>
  (await count(user(part), owner)) - (await count(user(), owner));

describe('what a request has', () => {
  const plain = user(text('Hello.'));
  const [said] = plain.messages;
  const more: readonly [string, Partial<GenerationRequest>][] = [
    ['tools', { tools: [{ name: 'read', description: 'Reads a file.', parameters: { type: 'object' } }] }],
    [
      'a system message',
      { messages: [{ role: 'system', content: [{ type: 'text', text: 'Be brief.' }] }, ...plain.messages] },
    ],
    [
      'calls, results and reasoning',
      {
        messages: [
          ...plain.messages,
          {
            role: 'assistant',
            content: [],
            toolCalls: [{ id: 'a', name: 'read', arguments: '{"path":"x"}' }],
            reasoning: 'I read it.',
            reasoningDetails: [],
          },
          { role: 'tool', toolCallId: 'a', content: [{ type: 'text', text: 'Content' }] },
        ],
      },
    ],
    [
      'a schema',
      {
        parameters: {
          response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
        },
      },
    ],
    ['a web search', { webSearch: { position: 0, type: 'web_search' } }],
  ];

  test.each(more)('%s counts', async (_, fields) => {
    expect(said).toBeDefined();
    expect(await count({ ...plain, ...fields })).toBeGreaterThan((await count(plain)) + 2);
  });

  test('encrypted reasoning counts by its length', async () => {
    const encoded = (length: number): GenerationRequest => ({
      ...plain,
      messages: [
        ...plain.messages,
        {
          role: 'assistant',
          content: [],
          toolCalls: [],
          reasoningDetails: [
            { type: 'reasoning.encrypted', format: 'x', index: 0, data: 'x'.repeat(length) },
          ],
        },
      ],
    });
    expect((await count(encoded(8_000))) - (await count(encoded(4_000)))).toBe(1_000);
  });
});

describe('images count by their size', () => {
  const png = (width: number, height: number) => {
    const bytes = Buffer.alloc(33);
    bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
    bytes.write('IHDR', 12, 'latin1');
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };
  const gif = Buffer.from('GIF89a\xe8\x03\xf4\x01', 'latin1');
  const lossless = Buffer.alloc(30);
  lossless.write('RIFF....WEBPVP8L....\x2f', 'latin1');
  lossless.writeUInt32LE((999 | (499 << 14)) >>> 0, 21);
  const extended = Buffer.alloc(30);
  extended.write('RIFF....WEBPVP8X', 'latin1');
  extended.writeUIntLE(999, 24, 3);
  extended.writeUIntLE(499, 27, 3);
  const lossy = Buffer.alloc(30);
  lossy.write('RIFF....WEBPVP8 ', 'latin1');
  lossy.writeUInt16LE(1000, 26);
  lossy.writeUInt16LE(500, 28);
  // A segment of a camera, a table, then the frame.
  const jpeg = Buffer.from('ffd8ffe100040000ffc400040000ffc200110801f403e80301', 'hex');

  test.each([
    ['PNG', png(1000, 500)],
    ['GIF', gif],
    ['WebP, lossless', lossless],
    ['WebP, extended', extended],
    ['WebP, lossy', lossy],
    ['JPEG', jpeg],
  ])('%s', (_, bytes) => {
    expect(imageSize(`data:image/x;base64,${base64(bytes)}`)).toEqual({ width: 1000, height: 500 });
  });

  test.each([
    ['https://example.com/a.png'],
    ['data:image/png;base64,'],
    [`data:image/jpeg;base64,${base64(Buffer.from('ffd8ffe1ffff', 'hex'))}`],
    [`data:image/jpeg;base64,${base64(Buffer.from(`ffd8${'ff'.repeat(64)}`, 'hex'))}`],
    [`data:image/jpeg;base64,${base64(Buffer.from(`ffd8${'ffe10000'.repeat(64)}`, 'hex'))}`],
    [`data:image/png;base64,${base64(png(0, 5))}`],
  ])('%s has none that is known', (url) => {
    expect(imageSize(url)).toBeUndefined();
  });

  test('Claude: an area by 750, up to 4,784 tokens', async () => {
    expect(await added(image(png(1500, 1000)), 'anthropic')).toBe(2_000);
    expect(await added(image(png(8000, 8000)), 'anthropic')).toBe(4_784);
  });

  test.each(['openai', 'google', 'meta'])(
    '%s: more for larger images, much for unknown ones',
    async (owner) => {
      const sizes = [png(200, 200), png(1000, 1000), png(4000, 3000)];
      const tokens = await Promise.all(sizes.map((size) => added(image(size), owner)));
      expect(tokens).toEqual(tokens.toSorted((one, other) => one - other));
      expect(new Set(tokens).size).toBe(3);
      expect(await added({ type: 'image', url: 'https://example.com/a.png' }, owner)).toBeGreaterThan(1_500);
    },
  );
});

describe('documents count by their pages', () => {
  const page = '<< /Type /Page /Parent 1 0 R >>\n';
  const packed = deflateSync(Buffer.from(page.repeat(7)));
  const stream = Buffer.concat([
    Buffer.from(`%PDF-1.5\n9 0 obj << /Type /ObjStm /N 7 >> stream\r\n`),
    packed,
    Buffer.from('\nendstream endobj'),
  ]);

  test.each<[string, Buffer, number]>([
    ['objects', Buffer.from(page.repeat(3)), 3],
    ['the root of the tree', Buffer.from('<< /Kids [2 0 R] /Count 12 /Type /Pages >>'), 12],
    ['not those of an outline', Buffer.from(`<< /Type /Outlines /Count 99 >> ${page}`), 1],
    ['object streams', stream, 7],
    ['a stream that is damaged', Buffer.from('/Type /ObjStm >> stream\nxxxx\nendstream'), 1],
    ['a stream without an end', Buffer.from('/Type /ObjStm >> stream\nxxxx'), 1],
    ['nothing', Buffer.alloc(100_000), 3],
  ])('found in %s', (_, bytes, pages) => {
    expect(countPages(bytes)).toBe(pages);
  });

  test('twice as many of them count twice', async () => {
    const one = await added(pdf(page));
    expect(await added(pdf(page.repeat(2)))).toBe(2 * one);
    expect(one).toBeGreaterThan(3_000);
  });

  test.each([['/Type /ObjStm '], ['/Type /Pages '], ['<< '], ['/Type        '], ['/Type /ObjStm stream\n']])(
    'many %j take a time that is like their length',
    (words) => {
      const time = (length: number) => {
        const bytes = Buffer.alloc(length, words);
        const before = process.cpuUsage();
        countPages(bytes);
        const { user: used, system } = process.cpuUsage(before);
        return used + system;
      };
      const least = (length: number) => Math.min(...Array.from({ length: 3 }, () => time(length)));
      // 64 times as long, if it grew with the square; and a moment, because what is short is hard to measure.
      expect(least(maxScanned / 4)).toBeLessThan(24 * least(maxScanned / 32) + 20_000);
    },
  );
});
