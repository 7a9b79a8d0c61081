/** Patterns find what the same regular expression of JavaScript finds, in linear time, and refuse what cannot be. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { automatonOf } from '../../../lib/core/guardrails/pattern/automaton.ts';
import { problemOfPattern } from '../../../lib/core/guardrails/pattern/read-pattern.ts';
import { readPattern } from '../../../lib/core/guardrails/pattern/syntax.ts';

function matches(pattern: string, text: string, pause: () => void = () => {}): readonly string[] {
  const finding = automatonOf(readPattern(pattern)).find(text, 0, text.length);
  for (;;) {
    const { done, value } = finding.next();
    if (done) return value.map(({ start, end }) => text.slice(start, end));
    pause();
  }
}

test.each([
  '\\bfoo\\b',
  'a+',
  '^b',
  'o$',
  '\\d+(?:\\.\\d{2})?',
  '(?:foo|ba[rz])+',
  '[^\\s]+',
  '(a+)+b',
  'fo{1,2}',
  'a.c|x{2,}',
  '\\Bo',
])('%s finds what JavaScript finds', (pattern) => {
  const words = fc.array(fc.constantFrom('foo', 'bar', 'a', 'b', ' ', '\n', '12.50', 'xx', 'c', '_'), {
    maxLength: 20,
  });
  const same = (list: readonly string[]) => {
    const text = list.join('');
    expect(matches(pattern, text)).toEqual(
      [...text.matchAll(new RegExp(pattern, 'gm'))].map(([found]) => found),
    );
  };
  fc.assert(fc.property(words, same), { numRuns: 60 });
});

test('case is ignored where the pattern says so', () => {
  expect(matches('(?i)straße [a-c]', 'STRASSE a, Straße B')).toEqual(['Straße B']);
});

test.each(['(a+)+$', 'a*a*a*a*c', '(x+x+)+y', '(?:a|a)*b'])('%s takes time by the text alone', (pattern) => {
  const begun = performance.now();
  expect(matches(pattern, `${'a'.repeat(100_000)}!`)).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

/** Two letters in no order. */
const mixed = Array.from({ length: 4_096 }, (_, at) => ((at * at * 2_654_435_761) % 7 < 3 ? 'a' : 'b')).join(
  '',
);

test.each(['c[ab]{400}a[ab]*', 'a[ab]{300}[ab]*b'])('%s pauses often', (pattern) => {
  let longest = 0;
  let last = performance.now();
  let pauses = 0;
  matches(pattern, mixed, () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    pauses += 1;
  });
  expect(pauses).toBeGreaterThan(60);
  // One of them is 4 ms; a machine may have much else to do.
  expect(longest).toBeLessThan(2_000);
});

describe('a pattern is refused', () => {
  test.each([
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',
    'a**',
    '[z-a]',
    '(a',
    'a)',
    'a{5,2}',
    '\\p{L}',
    'a*',
    '^',
    '(?:a{1000}){1000}',
    'a(?:(?:(?:(?:){1000}){1000}){1000}){1000}',
    '\\',
  ])('%s', (pattern) => expect(problemOfPattern(pattern)).toBeTypeOf('string'));
});
