/** Embeddings as they are answered, and texts that are surely too long. */
import { expect, test } from 'vitest';
import { checkLength, writeEmbeddings } from '../../../lib/operations/embeddings/endpoint.ts';

const facts = {
  model: 'a/b',
  promptTokens: 7,
  encoding: 'float',
  cost: undefined,
  debug: undefined,
} as const;
const vectors = [new Float32Array([0.5, -0, 1]), new Float32Array([0.25])];

const written = (more: object = {}) =>
  JSON.parse([...writeEmbeddings(vectors, { ...facts, ...more })].join(''));

test('vectors are numbers', () => {
  const answer = written();
  expect(answer).toEqual({
    object: 'list',
    data: [
      { object: 'embedding', index: 0, embedding: [0.5, -0, 1] },
      { object: 'embedding', index: 1, embedding: [0.25] },
    ],
    model: 'a/b',
    usage: { prompt_tokens: 7, total_tokens: 7 },
  });
  expect(Object.is(answer.data[0].embedding[1], -0)).toBe(true);
  expect(written({ debug: { routing: [] } }).debug).toEqual({ routing: [] });
});

test('or the bytes of 32-bit floats', () => {
  const bytes = Buffer.from(written({ encoding: 'base64' }).data[0].embedding, 'base64');
  expect([bytes.length, bytes.readFloatLE(0), bytes.readFloatLE(8)]).toEqual([12, 0.5, 1]);
});

test('a text with more bytes than any tokens have is too long, and named', async () => {
  const long = 'a'.repeat(8_192 * 128 + 1);
  const check = (textPaths: readonly string[], ...texts: readonly string[]) =>
    checkLength({ texts, textPaths, parameters: {}, parameterPaths: {} }, AbortSignal.timeout(60_000));
  await expect(check(['input.0', 'input.1'], 'a', long)).rejects.toMatchObject({
    status: 400,
    param: 'input.1',
  });
  await expect(check(['input'], long)).rejects.toMatchObject({ param: 'input' });
  await check(['input'], 'a'.repeat(8_192));
});
