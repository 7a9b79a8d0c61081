/** The largest possible answer is written without a second copy of it in memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { writeEmbeddings } from '../../../lib/operations/embeddings/endpoint.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes in use after garbage collection. */
function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const texts = 128;
const dimensions = 4_096;

/** Numbers as a provider returns them, a list for each text. */
const vectors = Array.from({ length: texts }, (_, text) =>
  Array.from({ length: dimensions }, (_number, index) => Math.sin(text * dimensions + index) / 64),
);

test.each(['float', 'base64'] as const)('an answer is written as %s, piece by piece', (encoding) => {
  const facts = { model: 'acme/one', promptTokens: 5, encoding, cost: undefined, debug: undefined };
  let whole = 0;
  let largest = 0;
  let highest = 0;
  const before = held();
  for (const piece of writeEmbeddings(vectors, facts)) {
    whole += piece.length;
    largest = Math.max(largest, piece.length);
    highest = Math.max(highest, held() - before);
  }
  expect(whole).toBeGreaterThan(encoding === 'float' ? 10_000_000 : 2_700_000);
  // One vector at a time.
  expect(largest).toBeLessThan((1.1 * whole) / texts);
  expect(highest).toBeLessThan(whole / 4);
});
