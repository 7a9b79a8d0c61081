/** Memory in a function: garbage is collected before a request takes much, and an answer that does not fit is refused. */
import { expect, test } from 'vitest';
import { createLambdaMemory } from '../../lib/http/lambda/memory.ts';

const megabyte = 1024 * 1024;

function memoryOf() {
  let collections = 0;
  const memory = createLambdaMemory({
    memorySize: 256,
    bodyBytes: 1_000_000,
    collect: () => {
      collections += 1;
    },
  });
  return { memory, collections: () => collections };
}

test('garbage is collected each time that a request has taken much', () => {
  const { memory, collections } = memoryOf();
  const after = Array.from({ length: 6 }, () => {
    expect(memory.admit(10 * megabyte)).toBe(true);
    return collections();
  });
  expect(after).toEqual([0, 0, 1, 1, 1, 2]);
});

test('a request that takes much at once is never refused', () => {
  const { memory, collections } = memoryOf();
  expect([memory.reserve(1_000 * megabyte), collections()]).toEqual([true, 0]);
  expect([memory.admit(1_000 * megabyte), collections()]).toEqual([true, 1]);
});

test('what nothing holds is given back', () => {
  let held: Uint8Array[] = Array.from({ length: 400 }, () => new Uint8Array(100_000));
  const before = process.memoryUsage().arrayBuffers;
  expect(held).toHaveLength(400);
  held = [];
  createLambdaMemory({ memorySize: 256, bodyBytes: 0 }).admit(100 * megabyte);
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThan(30 * megabyte);
});

test('an answer is admitted up to what the program and the body leave, in parts or at once, and is no reason to try again', () => {
  const fits = (119 * megabyte - 4_000_000) / 1.5;
  expect(memoryOf().memory.admitAnswer(fits)).toBeUndefined();
  const { memory, collections } = memoryOf();
  expect([memory.admitAnswer(100), memory.admitAnswer(fits - 100), collections()]).toEqual([
    undefined,
    undefined,
    1,
  ]);
  const refusal = memory.admitAnswer(1);
  expect(refusal).toMatchObject({ kind: 'upstream_invalid_answer', mayRetry: false });
  expect(refusal?.message).toContain('the 256 MB of memory');
});

test('a function with less memory than its program needs takes small answers', () => {
  const memory = createLambdaMemory({ memorySize: 128, bodyBytes: 6 * megabyte });
  expect(memory.admitAnswer(10 * megabyte)).toBeUndefined();
  expect(memory.admitAnswer(megabyte)).toBeDefined();
});
