/** Code fences around an answer: what is taken off, and that no text makes it slow. */
import { expect, test } from 'vitest';
import { codeFence } from '../../../lib/pipeline/generation/json/hold-to-format.ts';

function unfenced(...pieces: readonly string[]): string {
  const fence = codeFence();
  return pieces.map(fence.add).join('') + fence.end();
}

test.each([
  ['```json\n{}\n```', '{}'],
  ['```json\n{} \n ``` \n', '{}'],
  ['```\n{"a":"b```"}\n```', '{"a":"b```"}'],
  ['```\n{}', '{}'],
  ['{} ', '{} '],
])('%j is %j', (text, inside) => {
  expect(unfenced(text)).toBe(inside);
  expect(unfenced(...text)).toBe(inside);
});

test('a long run of spaces takes no longer than other text', () => {
  const json = `{"a":"${' '.repeat(1_000_000)}x"}`;
  expect(unfenced(`\`\`\`json\n${json}\n\`\`\``)).toBe(json);
}, 60_000);
