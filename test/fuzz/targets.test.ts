/** Each target of the fuzzer for a moment, and what the fuzzer itself does. `npm run fuzz` goes on for as long as asked. */
import { expect, test } from 'vitest';
import { createRandom } from '../harness/random.ts';
import { fuzz } from './fuzz.ts';
import { mutate } from './mutate.ts';
import type { Target } from './targets/target.ts';
import { loadTargets } from './targets/targets.ts';

const targets = await loadTargets();
const seed = Number(process.env.FUZZ_SEED ?? 20_260_101);

test.each(targets)('$name: damaged input does no harm', async (target) => {
  const { finding } = await fuzz(target, { seed, ms: 150, runs: 300 });
  expect(finding && { faults: finding.faults, input: finding.input.toString().slice(0, 2_000) }).toBe(
    undefined,
  );
});

test('the same seed gives the same inputs, and another one others', () => {
  const sample = Buffer.from('{"a":[1,"two",{"b":null}]}\n{"c":true}');
  const inputs = (from: number) => {
    const random = createRandom(from);
    return Array.from({ length: 50 }, () => mutate(random, sample).toString());
  };
  expect(inputs(1)).toEqual(inputs(1));
  expect(inputs(1)).not.toEqual(inputs(2));
});

test('what is wrong is found, with its input', async () => {
  const target: Target = {
    name: 'wrong',
    samples: [Buffer.from('{"a":1,"b":"text"}')],
    check: (input) => (input.includes('"a"') ? [] : ['has no a']),
  };
  const { finding } = await fuzz(target, { seed: 1, ms: 60_000, runs: 1_000 });
  expect(finding?.faults).toEqual(['has no a']);
  expect(finding?.input.includes('"a"')).toBe(false);
});
