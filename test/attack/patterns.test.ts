/**
 * Every regular expression of the code takes linear time on hostile texts of 64 KB, which are made from its own words and
 * characters. A new one is found and measured without a line here.
 */
import { describe, expect, test } from 'vitest';
import { findPatterns } from '../harness/patterns/find-patterns.ts';
import { slowPatterns } from '../harness/patterns/measure.ts';

const folders = ['lib', 'functions', 'infra', 'cli', 'local', 'sandbox'];

test('patterns of all kinds are found', () => {
  const sources = findPatterns('lib').map(({ source }) => source);
  expect(sources).toContain('\\barn:[\\w-]*:\\S*');
  // One that is computed.
  expect(sources).toContain('^1[0-9A-Za-z]{1}$');
  expect(sources.length).toBeGreaterThan(100);
});

test.each(folders)('of %s', { timeout: 300_000 }, async (folder) => {
  expect(await slowPatterns(findPatterns(folder))).toEqual([]);
});

describe('a slow pattern is noticed', () => {
  test.each([
    // The one that stopped the gateway for 26 seconds.
    ['cubic, on blanks', String.raw`\b(project|team)(\s+(?:name)?\s*[:=]?\s*)(["'])[^"']{1,100}\3`, 'gi'],
    ['quadratic, at a tail', '0+$', ''],
    ['quadratic, ahead', String.raw`\bsk-(?=[\w-]*\d)[\w-]{6,}`, 'g'],
    ['quadratic, from word to word', 'trial key.*month', 'i'],
    ['exponential', '^(a+)+$', ''],
  ])('%s', { timeout: 120_000 }, async (_name, source, flags) => {
    expect(await slowPatterns([{ place: 'here', source, flags }])).toHaveLength(1);
  });
});
