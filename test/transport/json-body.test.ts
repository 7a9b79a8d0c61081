/** Bodies with media that are encoded while they are sent: the same bytes as those of `JSON.stringify`. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BodyPieces } from '../../lib/core/ports/http.ts';
import { jsonBody } from '../../lib/transport/json-body.ts';
import { base64Of, createMediaBytes } from '../../lib/transport/media-bytes.ts';

function mediaOf(bytes: Buffer, chunkBytes = bytes.length) {
  const media = createMediaBytes();
  for (let at = 0; at < bytes.length; at += chunkBytes) media.add(bytes.subarray(at, at + chunkBytes));
  return media.end();
}

/** What is sent, and its length as it is announced. */
function sent(body: string | Uint8Array | BodyPieces = '') {
  if (typeof body !== 'object' || !('pieces' in body)) return { bytes: Buffer.from(body), isPieces: false };
  const bytes = Buffer.concat(Array.from(body.pieces(), (piece) => Buffer.from(piece)));
  expect(bytes).toHaveLength(body.byteLength);
  return { bytes, isPieces: true };
}

const sizes = [1, 4_095, 4_096, 49_152, 49_153, 200_000];

describe.each(sizes)('media of %i bytes', (size) => {
  const bytes = randomBytes(size);
  const expected = bytes.toString('base64');

  test.each([1_000, 49_152, 200_000])('that came in chunks of %i are sent as their base64', (chunkBytes) => {
    const media = mediaOf(bytes, chunkBytes);
    const text = base64Of(media);
    const held = new Map([[text, media]]);
    const body = (data: string) => ({
      a: 'ä – ',
      image: { data },
      again: `data:image/png;base64,${data}`,
      end: null,
    });
    const { bytes: written, isPieces } = sent(jsonBody(body(text), held));
    expect(written.equals(Buffer.from(JSON.stringify(body(expected))))).toBe(true);
    expect(isPieces).toBe(size >= 4_096);
    const wrapped = sent(jsonBody(body(text), held, (inner) => ({ input: { body: inner } })));
    const inner = Buffer.from(JSON.stringify(body(expected))).toString('base64');
    expect(wrapped.bytes.toString()).toBe(JSON.stringify({ input: { body: inner } }));
  });

  test('have a text that begins as their base64, and is always the same', () => {
    const text = base64Of(mediaOf(bytes));
    expect(text.slice(0, 64)).toBe(expected.slice(0, 64));
    expect(base64Of(mediaOf(bytes, 1_000))).toBe(text);
    expect(text.length).toBeLessThan(5_500);
  });
});

test('a text that a caller wrote like one that stands for media stays as it is', () => {
  const media = mediaOf(randomBytes(10_000));
  const text = base64Of(media);
  const body = { caller: [text.slice(10), text.slice(0, -1), text.slice(64, 84).repeat(3)] };
  const { bytes } = sent(jsonBody(body, new Map([[text, media]])));
  expect(bytes.toString()).toBe(JSON.stringify(body));
});

test('without media a body is what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
      expect(sent(jsonBody({ ...body, undefined: undefined })).bytes.toString()).toBe(JSON.stringify(body));
    }),
  );
  const large = { text: '読'.repeat(2_000_000) };
  expect(jsonBody(large)).toBeInstanceOf(Uint8Array);
  expect(sent(jsonBody(large)).bytes.toString()).toBe(JSON.stringify(large));
});
