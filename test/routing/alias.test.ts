/** Which target of an alias is chosen, and how evenly. */
import { describe, expect, test } from 'vitest';
import type { AliasTarget } from '../../lib/core/names/names.ts';
import { chooseTargets, type RequestShape } from '../../lib/routing/alias.ts';
import { rendezvous } from '../../lib/routing/rendezvous.ts';

const shape: RequestShape = { tools: false, images: false, inputTokens: 0 };
const namesOf = (targets: readonly AliasTarget[]) => targets.map(({ model }) => model);
const share = (targets: readonly AliasTarget[], model: string) => {
  const keys = Array.from({ length: 4000 }, (_, index) => `tenant ${index}`);
  return keys.filter((key) => chooseTargets(targets, shape, key)[0]?.model === model).length / keys.length;
};

describe('weights', () => {
  test.each([
    [80, 20],
    [1, 1],
    [1, 9],
    [9999, 1],
  ])('%i to %i are kept over many conversations', (one, other) => {
    const targets = [
      { model: 'one', weight: one },
      { model: 'other', weight: other },
    ];
    expect(share(targets, 'one')).toBeCloseTo(one / (one + other), 1);
  });

  test('three targets have their shares too, whatever their order', () => {
    const targets = [5, 3, 2].map((weight) => ({ model: `with-${weight}`, weight }));
    expect(share(targets, 'with-5')).toBeCloseTo(0.5, 1);
    expect(share(targets.toReversed(), 'with-2')).toBeCloseTo(0.2, 1);
  });

  test('a key always gives the same order, and a removed target moves only its keys', () => {
    const targets = ['one', 'two', 'three'].map((model) => ({ model, weight: 1 }));
    for (let index = 0; index < 50; index++) {
      const order = namesOf(chooseTargets(targets, shape, `key ${index}`));
      expect(namesOf(chooseTargets(targets.toReversed(), shape, `key ${index}`))).toEqual(order);
      const without = targets.filter(({ model }) => model !== order[0]);
      expect(namesOf(chooseTargets(without, shape, `key ${index}`))).toEqual(order.slice(1));
    }
  });
});

describe('conditions', () => {
  const targets: readonly AliasTarget[] = [
    { model: 'any', weight: 1 },
    { model: 'tools', weight: 1, when: { tools: true } },
    { model: 'long', weight: 1, when: { inputTokensAbove: 100 } },
    { model: 'long-images', weight: 1, when: { inputTokensAbove: 100, images: true } },
  ];

  test.each<[Partial<RequestShape>, readonly string[]]>([
    [{}, ['any']],
    [{ tools: true }, ['any', 'tools']],
    [{ images: true }, ['any']],
    [{ inputTokens: 100 }, ['any']],
    [{ inputTokens: 101 }, ['any', 'long']],
    [{ inputTokens: 101, images: true }, ['any', 'long', 'long-images']],
    [{ inputTokens: 101, images: true, tools: true }, ['any', 'long', 'long-images', 'tools']],
  ])('%j: these may be chosen: %j', (given, expected) => {
    const chosen = namesOf(chooseTargets(targets, { ...shape, ...given }, 'key'));
    expect(chosen.toSorted()).toEqual(expected);
    expect(chosen.at(-1), 'the one without a condition comes last').toBe('any');
  });
});

test('one choice, or none, needs no hash', () => {
  const name = () => {
    throw new Error('No name is asked for.');
  };
  expect(rendezvous('key', [1], { name })).toEqual([1]);
  expect(rendezvous('key', [], { name })).toEqual([]);
});
