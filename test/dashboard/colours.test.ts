/** The colours of groups differ from the surfaces and from each other, also by people who do not see red or green. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

type Three = readonly [number, number, number];
type Matrix = readonly [Three, Three, Three];

/** Machado, Oliveira and Fernandes 2009, severity 1, for linear RGB. */
const sight: Readonly<Record<'everyone' | 'without red' | 'without green', Matrix>> = {
  everyone: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'without red': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'without green': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

const multiply = (matrix: Matrix, [r, g, b]: Three): Three => {
  const row = ([x, y, z]: Three) => x * r + y * g + z * b;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
};

const each = ([x, y, z]: Three, change: (value: number) => number): Three => [
  change(x),
  change(y),
  change(z),
];

/** From `#rrggbb`, to 0 to 1. */
function linear(hex: string): Three {
  const channel = (start: number) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function contrast(one: string, other: string): number {
  const light = [one, other].map((hex) => {
    const [r, g, b] = linear(hex);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  });
  return Math.max(...light) / Math.min(...light);
}

/** In OKLab (bottosson.github.io/posts/oklab). */
function seenBy(people: keyof typeof sight, hex: string): Three {
  const seen = each(multiply(sight[people], linear(hex)), (value) => Math.min(1, Math.max(0, value)));
  const cones = multiply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    seen,
  );
  return multiply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    each(cones, Math.cbrt),
  );
}

const difference = (one: Three, other: Three): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);

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
