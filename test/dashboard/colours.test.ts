/** The colours of groups differ from the surfaces and from each other, also by people who do not see red or green. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contrast, difference, seenBy } from './colour.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../dashboard', path), 'utf8');

/** The custom properties that have a light and a dark value. */
function coloursIn(css: string, position: number): ReadonlyMap<string, string> {
  const found = css.matchAll(/(--[\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g);
  return new Map([...found].map((match) => [match[1] ?? '', match[2 + position] ?? '']));
}

describe.each([
  ['light', 0],
  ['dark', 1],
])('%s', (_, position) => {
  const groups = [...coloursIn(read('charts/charts.css'), position)];
  const tokens = coloursIn(read('style/tokens.css'), position);
  const surfaces = ['--background', '--surface', '--raised'].map((name) => tokens.get(name) ?? '');

  test('eight groups and the others', () => {
    expect(groups).toHaveLength(9);
  });

  test.each(groups)('%s has a contrast of 3:1 with every surface', (_name, colour) => {
    for (const surface of surfaces) expect(contrast(colour, surface)).toBeGreaterThanOrEqual(3);
  });

  // 0.1 in OKLab is seen at a glance; 0.02 is about what can be seen at all.
  test.each(['everyone', 'without red', 'without green'] as const)(
    'any two differ for people: %s',
    (people) => {
      const seen = groups.slice(0, 8).map(([, colour]) => seenBy(people, colour));
      for (const [index, one] of seen.entries())
        for (const other of seen.slice(0, index)) expect(difference(one, other)).toBeGreaterThan(0.1);
    },
  );
});
