/** Garbage in a function: collected before a request takes much, and never for the many that do not. */
import { expect, test } from 'vitest';
import { createLambdaMemory } from '../../lib/http/lambda/memory.ts';

const megabyte = 1024 * 1024;

function memoryOf() {
  let collections = 0;
  const memory = createLambdaMemory(() => {
    collections += 1;
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
  createLambdaMemory().admit(100 * megabyte);
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThan(30 * megabyte);
});
