/** What is left of a total without some of its groups. */
import { expect, test } from 'vitest';
import { type Added, without } from '../../lib/admin/usage/group-figures.ts';

const added = (requests: number, more: Partial<Added> = {}): Added => ({
  id: null,
  now: { requests },
  before: { requests: 2 * requests },
  slots: [{ requests }],
  ...more,
});

test('the rest has each number less those of the groups, in each span and slot', () => {
  expect(without(added(10), [added(3), added(2)])).toEqual(added(5));
});

test('a group that was read after the total never makes the rest negative', () => {
  expect(without(added(1), [added(3)])).toEqual(added(0));
});
