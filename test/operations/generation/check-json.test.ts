/** Checks of answers by schemas that are made to take long. */

import { describe, expect, test } from 'vitest';
import { checkJson } from '../../../lib/pipeline/generation/json/check-json.ts';
import { codeFence } from '../../../lib/pipeline/generation/json/hold-to-format.ts';

const zeros = (count: number) => JSON.stringify(Array(count).fill(0));

test('an ordinary answer is checked', () => {
  const schema = {
    items: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/one' }] },
    $defs: { one: { const: 0 } },
  };
  expect(checkJson(zeros(1_000), schema)).toEqual([]);
  expect(checkJson('[1]', schema)).not.toEqual([]);
});

describe.each([
  ['alternatives', { items: { oneOf: Array(10_000).fill({}) } }, zeros(15_000)],
  ['alternatives that all fail', { items: { anyOf: Array(10_000).fill(false) } }, zeros(5_000)],
  [
    'references to what is long',
    {
      allOf: Array(500).fill({ $ref: '#/$defs/a' }),
      $defs: { a: { items: { oneOf: Array(1_000).fill({}) } } },
    },
    zeros(5_000),
  ],
])('%s', (_, schema, text) => {
  test('end in time', () => {
    expect(checkJson(text, schema)).toBeUndefined();
  }, 60_000);
});

const slow = { pattern: '^(a+)+$', format: 'uri', uniqueItems: true };

test.each([
  ['at the top', slow],
  ['in a definition', { $ref: '#/$defs/a', $defs: { a: slow } }],
  ['in an alternative', { anyOf: [{ not: slow }, slow] }],
  ['at a place of its own', { $ref: '#/mine/a', mine: { a: slow } }],
  ['in a list of its own', { $ref: '#/mine/0/a', mine: [{ a: { allOf: [slow] } }] }],
  ['in a default', { $ref: '#/default', default: slow }],
  ['in an example', { $ref: '#/examples/a', examples: { a: { patternProperties: { '^(a+)+$': slow } } } }],
])(
  'no pattern is run, %s',
  (_, schema) => {
    expect(checkJson(JSON.stringify(`${'a'.repeat(60)}!`), schema) ?? []).toEqual([]);
  },
  60_000,
);

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
