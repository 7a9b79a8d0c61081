/** The names of service tiers. */
import { expect, test } from 'vitest';
import { joinTiers, readServiceTier } from '../../lib/protocols/service-tier.ts';

test.each([
  [undefined, undefined],
  [null, undefined],
  ['', undefined],
  [7, undefined],
  ['unspecified', undefined],
  ['TRAFFIC_TYPE_UNSPECIFIED', undefined],
  ['default', 'default'],
  ['Standard', 'default'],
  ['ON_DEMAND', 'default'],
  ['constructor', 'constructor'],
  ['a-b.c:1_2', 'a-b.c:1_2'],
  ['x'.repeat(40), 'x'.repeat(40)],
  ['x'.repeat(41), 'unreadable'],
  ['two words', 'unreadable'],
  ['!flex', 'unreadable'],
  ['flex!', 'unreadable'],
])('%j is %j', (tier, expected) => {
  expect(readServiceTier(tier)).toBe(expected);
});

test.each([
  [[], undefined],
  [[undefined], undefined],
  [['default', undefined, 'default'], 'default'],
  [['default', 'fast'], 'fast'],
  [['flex', 'default', 'us'], 'flex+us'],
])('%j together are %j', (tiers, expected) => {
  expect(joinTiers(...tiers)).toBe(expected);
});
