/** Detectors of guardrails under a data policy: one elsewhere that is not known to comply is not asked, and the request fails. */
import { expect, test } from 'vitest';
import type { OwnData } from '../../lib/core/catalog/provider-data.ts';
import type { GatewayError } from '../../lib/core/errors/errors.ts';
import type { Rule } from '../../lib/core/guardrails/policy.ts';
import type { DataPolicy } from '../../lib/core/tenancy.ts';
import { checkDetectors } from '../../lib/pipeline/guard/kept-by-detectors.ts';
import { policyOf } from '../harness/guardrails.ts';

const terms = { id: 'one', on: ['input'], action: 'block' } as const;
const openai: Rule = { ...terms, kind: 'openai' };
const bedrock: Rule = {
  ...terms,
  kind: 'bedrock',
  guardrail: 'g',
  guardrailVersion: '1',
  region: 'eu-west-1',
};
const webhook: Rule = { ...terms, kind: 'webhook', url: 'https://guard.example' };
const words: Rule = { ...terms, kind: 'words', words: ['x'] };

const outcome = (rule: Rule, dataPolicy: DataPolicy, own: OwnData = {}, guardrails: readonly string[] = []) =>
  checkDetectors(
    { catalog: { dataFacts: async () => own } },
    [policyOf([words, rule])],
    { guardrails },
    { key: { id: 'key', tenant: 'acme', hash: '', tenantPolicy: { dataPolicy } } },
  ).then(
    () => 'asked',
    ({ kind, code, param }: GatewayError) => `${kind} ${code} ${param}`,
  );

const refused = 'invalid_request data_policy model';

test.each<[string, Rule, DataPolicy, OwnData, string]>([
  ['OpenAI keeps inputs for some days', openai, { zdr: true }, {}, refused],
  [
    'a contract with OpenAI says that nothing is kept',
    openai,
    { zdr: true },
    { openai: { retentionDays: 0, flaggedDays: 0 } },
    'asked',
  ],
  ['OpenAI does not train', openai, { noTraining: true }, {}, 'asked'],
  ['OpenAI is not known to stay in a region', openai, { regions: ['eu'] }, {}, refused],
  ['Bedrock keeps nothing', bedrock, { zdr: true, noTraining: true, regions: ['eu'] }, {}, 'asked'],
  ['Bedrock is asked in another region', bedrock, { regions: ['us'] }, {}, refused],
  ['a contract with Bedrock says less', bedrock, { zdr: true }, { bedrock: { retentionDays: 30 } }, refused],
  ['a webhook is a server of the operator', webhook, { zdr: true, regions: ['eu'] }, {}, 'asked'],
  ['the policy is about what the gateway stores', openai, { noStore: true }, {}, 'asked'],
])('%s', async (_, rule, policy, own, expected) => {
  expect(await outcome(rule, policy, own)).toBe(expected);
});

test('a guardrail that the request asks for is named', async () => {
  const param = 'extra.guardrails.1';
  expect(await outcome(openai, { zdr: true }, {}, ['other', 'house'])).toBe(
    `invalid_request data_policy ${param}`,
  );
});
