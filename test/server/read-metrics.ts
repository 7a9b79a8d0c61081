/** Reads metrics strictly. Grammar: prometheus.io/docs/instrumenting/exposition_formats, version 0.0.4. */
import { expect } from 'vitest';

const sample = /^([a-z_]+)(\{(?:[a-z]+="[^"\\\n]*",?)+\})? (-?[\d.]+(?:e[+-]?\d+)?|\+Inf)$/;

/** The values by name and labels. Each name is described before its values, which stand together. */
export function readMetrics(text: string): ReadonlyMap<string, number> {
  expect(text.endsWith('\n')).toBe(true);
  const values = new Map<string, number>();
  const described = new Set<string>();
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = ''] = /^# (HELP|TYPE) ([a-z_]+) \S/.exec(line) ?? [];
    if (kind === 'HELP') expect(described.has(name)).toBe(false);
    if (kind !== undefined) {
      described.add(name);
      current = name;
      continue;
    }
    const [, of = '', labels = '', value] = sample.exec(line) ?? expect.fail(`No sample: ${line}`);
    expect(of).toBe(current);
    expect(values.has(of + labels)).toBe(false);
    values.set(of + labels, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value));
  }
  return values;
}
