/** Data policies: merged, they forbid what each of them forbids, in any order; and what a target must be for them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Deployment, Target } from '../../lib/core/catalog/model.ts';
import { type OwnData, providerData } from '../../lib/core/catalog/provider-data.ts';
import { isAsStrict, mergedPolicy } from '../../lib/core/data-policy.ts';
import type { DataPolicy } from '../../lib/core/tenancy.ts';
import { dataRule, preferencesOf } from '../../lib/routing/data-rule.ts';
import { excludedBy } from '../../lib/routing/provider-preferences.ts';
import { testTarget } from '../harness/matrix/model.ts';

const regionNames = ['eu', 'eu-west-1', 'apac', 'jp', 'ap-northeast-1', 'us', 'global', 'ch'];
const providerNames = ['bedrock', 'bedrock/us-east-1', 'openai', 'fireworks', 'fireworks/eu-west-1'];

const some = (names: readonly string[]) => fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 });
const flag = fc.constant(true as const);
const policies = fc.record(
  {
    zdr: flag,
    noTraining: flag,
    noStore: flag,
    regions: some(regionNames),
    providers: fc.record({ only: some(providerNames), ignore: some(providerNames) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) satisfies fc.Arbitrary<DataPolicy>;

const deployments = fc.record(
  {
    provider: fc.constantFrom('bedrock', 'openai', 'fireworks', 'unheard-of'),
    region: fc.constantFrom('us-east-1', 'eu-west-1', 'global'),
    upstreamId: fc.constant('one'),
    regions: some(regionNames),
    collectsData: fc.boolean(),
    retainsData: fc.boolean(),
  },
  { requiredKeys: ['provider', 'region', 'upstreamId'] },
) satisfies fc.Arbitrary<Deployment>;

const target = (deployment: Deployment, created = 1): Target => ({
  model: { ...testTarget().model, created },
  deployment,
});

const forbids = (rules: readonly DataPolicy[], of: Target) => dataRule({ policies: rules })(of) !== undefined;

test('merging is the same in any order, and twice is as once', () => {
  fc.assert(
    fc.property(policies, policies, policies, (one, other, third) => {
      expect(mergedPolicy([one, other, third])).toEqual(mergedPolicy([third, one, other]));
      expect(mergedPolicy([mergedPolicy([one, other]), third])).toEqual(
        mergedPolicy([one, mergedPolicy([other, third])]),
      );
      expect(mergedPolicy([one, one])).toEqual(mergedPolicy([one]));
    }),
  );
});

test('two policies forbid a target if and only if one of them does', () => {
  fc.assert(
    fc.property(policies, policies, deployments, (one, other, deployment) => {
      const of = target(deployment);
      expect(forbids([one, other], of)).toBe(forbids([one], of) || forbids([other], of));
    }),
  );
});

test('a merged policy is as strict as each; what is not as strict lets a target through, or stores', () => {
  fc.assert(
    fc.property(policies, policies, deployments, (one, other, deployment) => {
      expect(isAsStrict(mergedPolicy([one, other]), one)).toBe(true);
      if (isAsStrict(one, other) && forbids([other], target(deployment))) {
        expect(forbids([one], target(deployment))).toBe(true);
      }
    }),
  );
});

test('preferences with the policies in them exclude what either excludes', () => {
  fc.assert(
    fc.property(policies, policies, deployments, (policy, asked, deployment) => {
      const wanted = preferencesOf(undefined, {
        ...(asked.regions && { regions: asked.regions }),
        ...asked.providers,
        ...(asked.zdr && { noRetention: true }),
      });
      const of = target(deployment);
      const rule = (preferences: typeof wanted, own: readonly DataPolicy[]) =>
        excludedBy(of, preferences, undefined, dataRule({ preferences, policies: own })) !== undefined;
      const key = { keyPolicy: { dataPolicy: policy } };
      expect(rule(preferencesOf(key, wanted), [])).toBe(rule(wanted, [policy]));
    }),
  );
});

describe('what is known of a deployment', () => {
  const zdr = { policies: [{ zdr: true }] } as const;
  const reasonOf = (deployment: Partial<Deployment>, own: OwnData = {}, created = 1) =>
    dataRule({ ...zdr, own })(
      target({ provider: 'openai', region: 'global', upstreamId: 'one', ...deployment }, created),
    );

  test.each<[string, Partial<Deployment>, OwnData, string | undefined]>([
    ['a provider that keeps logs', {}, {}, 'data_policy.zdr'],
    ['a provider that no one knows', { provider: 'unheard-of' }, {}, 'data_policy.zdr'],
    ['a provider that keeps what is flagged', { provider: 'groq' }, {}, 'data_policy.zdr'],
    ['a provider that keeps nothing', { provider: 'fireworks' }, {}, undefined],
    ['an operator with a contract for the deployment', { retainsData: false }, {}, undefined],
    ['an operator who has it kept', { provider: 'fireworks', retainsData: true }, {}, 'data_policy.zdr'],
    ['an operator with a contract', {}, { openai: { retentionDays: 0, flaggedDays: 0 } }, undefined],
    ['a contract about half of it', {}, { openai: { retentionDays: 0 } }, 'data_policy.zdr'],
    [
      'a provider that has changed',
      { provider: 'fireworks' },
      { fireworks: { retentionDays: 7 } },
      'data_policy.zdr',
    ],
  ])('%s', (_, deployment, own, expected) => {
    expect(reasonOf(deployment, own)).toBe(expected);
  });

  test('the contract of the operator says nothing of the account of a tenant', () => {
    const credential = {
      id: 'one',
      tenant: 'acme',
      account: 'openai',
      fallback: 'none',
      sealed: '',
    } as const;
    const contract = { openai: { retentionDays: 0, flaggedDays: 0 } };
    const of = (facts: object, deployment: Partial<Deployment> = {}) =>
      dataRule({ ...zdr, own: contract })({
        ...target({ provider: 'openai', region: 'global', upstreamId: 'one', ...deployment }),
        credential: { ...credential, ...facts },
      });
    expect(of({})).toBe('data_policy.zdr');
    expect(of({}, { retainsData: false })).toBe('data_policy.zdr');
    expect(of({ retainsData: false })).toBeUndefined();
    expect(of({ retainsData: true }, { provider: 'fireworks' })).toBe('data_policy.zdr');
    expect(of({}, { provider: 'fireworks' })).toBeUndefined();
  });

  test('what is known of older models says nothing of those that came after', () => {
    const { madeBefore = 0 } = providerData.bedrock ?? {};
    expect(reasonOf({ provider: 'bedrock' }, {}, madeBefore - 1)).toBeUndefined();
    expect(reasonOf({ provider: 'bedrock' }, {}, madeBefore)).toBe('data_policy.zdr');
  });

  test('a feature that is not known to keep nothing is named with its field', () => {
    const features = [{ feature: 'web_search', param: 'tools.1' }];
    const fireworks = target({ provider: 'fireworks', region: 'global', upstreamId: 'one' });
    expect(dataRule({ ...zdr, features })(fireworks)).toBe('data_policy.zdr:tools.1');
    const own = { fireworks: { zdrFeatures: ['web_search'] } };
    expect(dataRule({ ...zdr, features, own })(fireworks)).toBeUndefined();
  });
});
