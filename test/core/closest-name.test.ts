/** The known name that a mistyped one is closest to. */
import { describe, expect, test } from 'vitest';
import { closestName, editDistance } from '../../lib/core/names/closest-name.ts';

const names = ['model', 'messages', 'temperature', 'top_p', 'stop', 'n'];

describe('the closest name', () => {
  test.each([
    ['temperatur', 'temperature'],
    ['TEMPERATURE', 'temperature'],
    ['mesages', 'messages'],
    ['modle', 'model'],
    ['models', 'model'],
    ['stops', 'stop'],
    ['m', undefined],
    ['colour', undefined],
    ['', undefined],
  ])('to %s is %s', (typed, expected) => {
    expect(closestName(typed, names)).toBe(expected);
  });

  test('of equally close ones is the first', () => {
    expect(closestName('abcx', ['abcd', 'abce'])).toBe('abcd');
  });

  test('to a name of more than 100 characters is not looked for', () => {
    const name = 'x'.repeat(101);
    expect(closestName(name, [name])).toBeUndefined();
  });
});

test.each([
  ['', '', 0],
  ['kitten', 'sitting', 3],
  ['abc', '', 3],
  ['', 'abc', 3],
  ['flaw', 'lawn', 2],
])('from %o to %o are %i edits', (one, other, distance) => {
  expect(editDistance(one, other)).toBe(distance);
});
