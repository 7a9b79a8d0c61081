/** The order in which the deployments of a model are tried. */
import { expect, test } from 'vitest';
import type { Deployment, Model, Target } from '../../lib/core/catalog/model.ts';
import type { Health } from '../../lib/routing/health.ts';
import { failingLast, preferred } from '../../lib/routing/preference.ts';
import { testModel } from '../harness/matrix/model.ts';

/** Deployments named by letters; those in one group are held equal. */
function modelWith(...groups: readonly string[]): Model {
  const deployments = groups.flatMap((group) =>
    [...group].map(
      (name, index): Deployment => ({
        provider: 'acme',
        region: 'global',
        upstreamId: name,
        ...(index > 0 && { equalToPrevious: true }),
      }),
    ),
  );
  return testModel({ deployments });
}

const targetsOf = (model: Model): readonly Target[] =>
  model.deployments.map((deployment) => ({ model, deployment }));

const healthWith = (...failing: readonly Target[]): Health => ({
  isFailing: (target) => failing.includes(target),
  failed() {},
  succeeded() {},
});

const namesOf = (ordered: readonly Target[]) =>
  ordered.map(({ deployment }) => deployment.upstreamId).join('');

const orderOf = (targets: readonly Target[], conversation?: string) =>
  namesOf(preferred(targets, () => conversation));

const targets = targetsOf(modelWith('abcde', 'xy'));

test('without a conversation the order is that of the catalog', () => {
  expect(orderOf(targets)).toBe('abcdexy');
});

test('a conversation has an order of its own among equals, always the same', () => {
  const orders = Array.from({ length: 60 }, (_, index) => orderOf(targets, `one-${index}`));
  for (const order of orders) expect(order).toMatch(/^[a-e]{5}[xy]{2}$/);
  expect(new Set(orders).size).toBeGreaterThan(20);
  expect(new Set(orders.map((order) => order[0]))).toEqual(new Set('abcde'));
  expect(orderOf(targets, 'one-7')).toBe(orders[7]);
});

test('without equals nothing is computed, and the order is that of the catalog', () => {
  const asked = () => {
    throw new Error('Nothing asks for the conversation.');
  };
  expect(namesOf(preferred(targetsOf(modelWith('a', 'b', 'c')), asked))).toBe('abc');
});

test('removing a deployment moves only the conversations that it serves', () => {
  for (const conversation of ['one', 'two', 'three']) {
    const [first, ...rest] = orderOf(targets.slice(0, 5), conversation);
    const without = targets.slice(0, 5).filter(({ deployment }) => deployment.upstreamId !== first);
    expect(orderOf(without, conversation)).toBe(rest.join(''));
  }
});

test('equals stay equal where the deployment between them, or the first, cannot be called', () => {
  const [, b, c, d] = targets as [Target, Target, Target, Target];
  const firsts = Array.from({ length: 40 }, (_, index) => orderOf([b, d], `one-${index}`)[0]);
  expect(new Set(firsts)).toEqual(new Set('bd'));
  const x = targets.find(({ deployment }) => deployment.upstreamId === 'x') as Target;
  expect(orderOf([c, x], 'one')).toBe('cx');
});

test('targets that fail come last, in their order', () => {
  const [a, b] = targets as [Target, Target];
  expect(namesOf(failingLast(targets, healthWith(b, a)))).toBe('cdexyab');
});

test('no targets have no order', () => {
  expect(preferred([], () => 'one')).toEqual([]);
});
