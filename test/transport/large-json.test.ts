/** Bodies with images in them: however they are cut and written, the rest is the JSON it was, and the images are exact. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '../../lib/core/ports/http.ts';
import { type LargeJson, readLargeJson } from '../../lib/transport/large-json.ts';

const plenty = () => ({ left: 1 << 30 });

function answer(bytes: Buffer, cuts: readonly number[] = []): HttpResponse {
  async function* body() {
    let from = 0;
    for (const cut of [...new Set(cuts)].sort((a, b) => a - b)) {
      yield bytes.subarray(from, Math.min(cut, bytes.length));
      from = Math.min(cut, bytes.length);
    }
    yield bytes.subarray(from);
  }
  return { status: 200, headers: {}, body: body() };
}

const read = (text: string, cuts?: readonly number[]) =>
  readLargeJson(answer(Buffer.from(text), cuts), plenty());

const joined = ({ base64 }: LargeJson, text: unknown) => [...base64(String(text))].join('');

const image = (bytes: number) => Buffer.alloc(bytes, 'a picture').toString('base64');

describe('an image', () => {
  test.each([1, 3000, 200_000])('of %i bytes is what was written', async (bytes) => {
    const read64 = await read(JSON.stringify({ data: [{ b64_json: image(bytes) }] }));
    const { data } = read64.body as { data: { b64_json: string }[] };
    expect(joined(read64, data[0]?.b64_json)).toBe(image(bytes));
    expect(data[0]?.b64_json.length).toBeLessThan(5000);
  });

  test.each([
    ['slashes', (text: string) => text.replaceAll('/', '\\/')],
    ['any character', (text: string) => text.replaceAll('I', '\\u0049').replaceAll('+', '\\u002B')],
  ])('that escapes %s is the same, wherever it is cut', async (_, written64) => {
    const original = Buffer.from(Array.from({ length: 6000 }, (__, index) => (index * 7919) % 251)).toString(
      'base64',
    );
    const written = `{"a":"${written64(original)}"}`;
    expect(written.length).toBeGreaterThan(original.length + 10);
    for (let cut = 4000; cut < 4100; cut++) {
      const large = await read(written, [cut, cut + 1, cut + 2]);
      expect(joined(large, (large.body as { a: string }).a)).toBe(original);
    }
  });

  test('can be read again', async () => {
    const large = await read(JSON.stringify({ a: image(9000) }));
    const pieces = large.base64((large.body as { a: string }).a);
    expect([...pieces].join('')).toBe(image(9000));
    expect([...pieces].join('')).toBe(image(9000));
  });

  test.each([
    ['text', 'no picture! '.repeat(1000)],
    ['quotes', `${'A'.repeat(9000)}"`],
    ['a short text', 'no picture'],
  ])('that is %s is none', async (_, text) => {
    const large = await read(JSON.stringify({ a: text }));
    expect(() => large.base64((large.body as { a: string }).a)).toThrow(
      expect.objectContaining({ kind: 'upstream_invalid_answer' }),
    );
  });
});

test('any JSON is parsed unchanged, however it is split', async () => {
  const long = fc.integer({ min: 4090, max: 9000 }).map((length) => 'Ab+/'.repeat(length).slice(0, length));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\\', '"', '\\"', '\\\\', '', '\u0000'),
      long,
      fc.double({ noNaN: true }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    ),
  }));
  const cuts = fc.array(fc.nat({ max: 20_000 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(value, cuts, async (json, splits) => {
      const large = await read(JSON.stringify(json), splits);
      expect(filled(large, large.body)).toEqual(JSON.parse(JSON.stringify(json)));
    }),
  );
});

/** The body with every long text back in its place. */
function filled(large: LargeJson, value: unknown): unknown {
  if (typeof value === 'string') return /^[\da-f-]{36} \d+$/.test(value) ? joined(large, value) : value;
  if (Array.isArray(value)) return value.map((one) => filled(large, one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(large, one)]));
}

test.each(['', '{', '{"a":"', `{"a":"${image(9000)}`, '{"a":"\\', 'null}', '<html>'])(
  'invalid JSON is reported: %.20s',
  async (text) => {
    await expect(read(text)).rejects.toMatchObject({ kind: 'upstream_invalid_answer' });
  },
);

test('several responses share one limit, and reading stops at it', async () => {
  const budget = { left: 25_000 };
  const text = Buffer.from(JSON.stringify({ a: image(9000) }));
  await readLargeJson(answer(text), budget);
  await readLargeJson(answer(text), budget).catch(() => undefined);
  await expect(readLargeJson(answer(text), budget)).rejects.toMatchObject({
    kind: 'upstream_invalid_answer',
  });
});

test('a body with very many escapes takes no longer than any other', async () => {
  const started = process.cpuUsage();
  const large = await read(`{"a":"${'\\/'.repeat(2_000_000)}"}`);
  expect(joined(large, (large.body as { a: string }).a)).toBe('/'.repeat(2_000_000));
  expect(process.cpuUsage(started).user / 1_000).toBeLessThan(10_000);
});
