/** A policy in the words of the dashboard's forms is the same policy, and the facts of providers are old after half a year. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cacheOf, cacheWords } from '../../dashboard/pages/cache-words.ts';
import { policyOf, policyWords } from '../../dashboard/pages/data-policy.ts';
import { lintProviderData } from '../../infra/catalog/lint-provider-data.ts';
import { cacheRow, readCacheSettings } from '../../lib/admin/cache-fields.ts';
import { dataPolicyRow, readDataPolicy } from '../../lib/admin/data-policy-fields.ts';
import { dataPolicyInput } from '../../lib/admin/tenancy-schema.ts';
import type { CacheSettings } from '../../lib/core/caching.ts';

const names = (...from: readonly string[]) =>
  fc.option(fc.subarray([...from], { minLength: 1 }), { nil: undefined });

test('what is read from a form is what was shown in it', () => {
  const policies = fc.record({
    zdr: fc.boolean(),
    no_training: fc.boolean(),
    no_store: fc.boolean(),
    regions: names('eu', 'eu-west-1'),
    providers: fc.record({ only: names('openai', 'bedrock/us-east-1'), ignore: names('xai') }),
  });
  fc.assert(
    fc.property(policies, (given) => {
      const shown = dataPolicyRow(readDataPolicy(given) ?? undefined);
      const typed = policyOf(policyWords(shown));
      expect(dataPolicyInput().safeParse(typed).success).toBe(true);
      expect(dataPolicyRow(readDataPolicy(typed) ?? undefined)).toEqual(shown);
    }),
  );
});

test('a word that means nothing is refused by the API', () => {
  expect(dataPolicyInput().safeParse(policyOf(['secrecy'])).success).toBe(false);
});

test('a source that was read more than 180 days ago is named', () => {
  const of = { openai: { source: 'a page', checked: '2026-01-01' } };
  expect(lintProviderData(Date.parse('2026-06-30'), of)).toEqual([]);
  expect(lintProviderData(Date.parse('2026-07-02'), of)).toEqual([expect.stringContaining('a page')]);
});

test.each<CacheSettings>([
  {},
  { default: true, ttl: 600 },
  { default: false, maxTtl: 60 },
  { off: true, default: true, ttl: 5, maxTtl: 86_400 },
])('settings of cached answers come back from their words: %o', (settings) => {
  const given = Object.keys(settings).length > 0 ? settings : null;
  expect(readCacheSettings(cacheOf(cacheWords(cacheRow(given ?? undefined))))).toEqual(given);
});

test('what is no setting of cached answers is a time that the API refuses', () => {
  expect(cacheOf(['often'])).toEqual({ ttl: 0 });
});
