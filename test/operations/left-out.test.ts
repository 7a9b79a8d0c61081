/** Fields that a schema does not have are recorded: those of one name in like places once. */
import { expect, test } from 'vitest';
import { leftOutFields } from '../../lib/operations/left-out.ts';

const shortOf = (given: unknown, read: unknown) =>
  leftOutFields(given, read).map(({ param, before, reason }) => [param, before, reason]);

const unknown = 'The gateway does not know this field.';

test('nothing is recorded of what was read, of null and of other values', () => {
  const same = { list: [1, 'a', null, { a: 1 }], none: null };
  expect(shortOf(same, structuredClone(same))).toEqual([]);
  expect(shortOf(same, same)).toEqual([]);
  expect(shortOf({ a: null, b: 1, c: [1], d: {} }, { b: '1', c: {}, d: [] })).toEqual([]);
  expect(shortOf([1, [2]], { 0: 1 })).toEqual([]);
});

test('a field is recorded by its path, with its size', () => {
  const given = { messages: [{ content: 'Hi', odd: 'abc' }], tool: { odd: { a: 1 } }, odd: 1 };
  const changes = leftOutFields(given, { messages: [{ content: 'Hi' }], tool: { odd: undefined } });
  expect(changes.map(({ param, action }) => [param, action])).toEqual([
    ['messages.0.odd', 'strip'],
    ['tool.odd', 'strip'],
    ['odd', 'strip'],
  ]);
  expect(JSON.stringify(changes)).not.toContain('abc');
  expect(leftOutFields({ odd: 1 }, {}, 'Why.')[0]?.reason).toBe('Why.');
});

test('fields of one name in like places are one record', () => {
  const messages = (count: number) => Array.from({ length: count }, () => ({ odd: 1, parts: [{ odd: 2 }] }));
  const read = (count: number) => messages(count).map(() => ({ parts: [{}] }));
  const reasons = (count: number) =>
    shortOf({ messages: messages(count) }, { messages: read(count) }).map(([param, , reason]) => [
      param,
      reason,
    ]);
  expect(reasons(1)).toEqual([
    ['messages.0.odd', unknown],
    ['messages.0.parts.0.odd', unknown],
  ]);
  expect(reasons(2)[0]).toEqual(['messages.0.odd', `${unknown} It was in one more place.`]);
  expect(reasons(4)[1]).toEqual(['messages.0.parts.0.odd', `${unknown} It was in 3 more places.`]);
});

test('twenty kinds are listed, and the rest is counted', () => {
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`odd_${index}`, index]));
  expect(shortOf(fields(20), {})).toHaveLength(20);
  expect(shortOf(fields(21), {}).at(-1)?.slice(0, 2)).toEqual(['*', '1 field']);
  const many = shortOf(fields(22), {});
  expect([many.length, many.at(-1)?.slice(0, 2)]).toEqual([21, ['*', '2 fields']]);
});

test('a long name is cut', () => {
  expect(shortOf({ ['x'.repeat(70)]: 1 }, {})[0]?.[0]).toBe('x'.repeat(64));
});
