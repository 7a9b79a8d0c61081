/** The order in which the deployments of a model are tried. */
import { expect, test } from 'vitest';
import type { Target } from '../../lib/core/model.ts';
import type { Health } from '../../lib/routing/health.ts';
import { failingLast, preferred } from '../../lib/routing/preference.ts';
import { testTarget } from '../harness/matrix/model.ts';

const targetOf = (provider: string, upstreamId: string): Target => {
  const target = testTarget();
  return { ...target, deployment: { ...target.deployment, provider, upstreamId } };
};

const own = ['a', 'b', 'c', 'd', 'e'].map((name) => targetOf('openai', name));
const other = [targetOf('azure', 'x'), targetOf('azure', 'y')];
const targets = [...own, ...other];

const healthWith = (...failing: readonly Target[]): Health => ({
  isFailing: (target) => failing.includes(target),
  failed() {},
  succeeded() {},
});
const healthy = healthWith();

const namesOf = (ordered: readonly Target[]) =>
  ordered.map(({ deployment }) => deployment.upstreamId).join('');

test('without a session the order is that of the catalog', () => {
  expect(namesOf(preferred(targets, undefined, healthy))).toBe('abcdexy');
});

test('a session has an order of its own in the first provider, always the same', () => {
  const orders = Array.from({ length: 40 }, (_, index) =>
    namesOf(preferred(targets, `session-${index}`, healthy)),
  );
  for (const order of orders) expect(order).toMatch(/^[a-e]{5}xy$/);
  expect(new Set(orders).size).toBeGreaterThan(20);
  expect(new Set(orders.map((order) => order[0])).size).toBe(5);
  expect(namesOf(preferred(targets, 'session-7', healthy))).toBe(orders[7]);
});

test('the order of a session does not depend on that of the catalog, nor on other deployments', () => {
  const order = namesOf(preferred(own, 'session', healthy));
  expect(namesOf(preferred(own.toReversed(), 'session', healthy))).toBe(order);
  const [first = ''] = order;
  const rest = own.filter(({ deployment }) => deployment.upstreamId !== first);
  expect(namesOf(preferred(rest, 'session', healthy))).toBe(order.slice(1));
});

test('targets that fail come last, in their order', () => {
  const [a, b] = own as [Target, Target];
  expect(namesOf(failingLast(targets, healthWith(b, a)))).toBe('cdexyab');
  expect(namesOf(preferred(targets, undefined, healthWith(a)))).toBe('bcdexya');
  const order = namesOf(preferred(own, 'session', healthy));
  const first = own.find(({ deployment }) => deployment.upstreamId === order[0]) as Target;
  expect(namesOf(preferred(own, 'session', healthWith(first)))).toBe(`${order.slice(1)}${order[0]}`);
});

test('no targets have no order', () => {
  expect(preferred([], 'session', healthy)).toEqual([]);
});
