/** The map of bounded size behind the caches. */
import { expect, test } from 'vitest';
import { createLru } from '../../lib/stores/lru.ts';

const filled = () => {
  const lru = createLru<number>(2);
  lru.set('a', 1);
  lru.set('b', 2);
  return lru;
};

test('the entry set first is evicted', () => {
  const lru = filled();
  lru.set('c', 3);
  expect(['a', 'b', 'c'].map(lru.get)).toEqual([undefined, 2, 3]);
});

test('an entry that was read or set again stays', () => {
  const read = filled();
  read.get('a');
  read.set('c', 3);
  expect(['a', 'b', 'c'].map(read.get)).toEqual([1, undefined, 3]);
  const changed = filled();
  changed.set('a', 4);
  changed.set('c', 3);
  expect(['a', 'b', 'c'].map(changed.get)).toEqual([4, undefined, 3]);
});

test('a deleted entry is gone and frees its space', () => {
  const lru = filled();
  lru.delete('b');
  lru.set('c', 3);
  expect(['a', 'b', 'c'].map(lru.get)).toEqual([1, undefined, 3]);
});
