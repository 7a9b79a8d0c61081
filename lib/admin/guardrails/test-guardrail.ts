/**
 * `POST /admin/v1/tenants/{tenant}/guardrails/{guardrail}/test`: what its rules, or those of a draft, find in a text. The text is kept
 * nowhere, and no part of it is in the answer.
 */

import type { User } from '../../core/admin/user.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type { Policy } from '../../core/guardrails/policy.ts';
import type { RuleTrial, TryPolicy } from '../../core/guardrails/trial.ts';
import { recordChange } from '../audit/record-change.ts';
import { dollarsOf } from '../dollars.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { findGuardrail, type GuardrailParts, type OfGuardrail, referencesOf } from './guardrails.ts';
import { readRules } from './read-rule.ts';
import {
  type GuardrailsPutInput,
  type GuardrailsTestAnswer,
  type GuardrailsTestInput,
  guardrailPath,
  guardrailsTestInput,
  maxMatches,
} from './schema.ts';
import { withKnownSecrets } from './webhook-secrets.ts';

export interface GuardrailTestParts extends GuardrailParts {
  readonly tryPolicy: TryPolicy;
}

export const testGuardrailEndpoint = (parts: GuardrailTestParts) =>
  endpointOf(parts, guardrailPath, guardrailsTestInput, (_, user, input, __, signal) =>
    testGuardrail(parts, user, input, signal),
  );

/** That it was tested, and with what result, is in the audit log. */
export async function testGuardrail(
  parts: GuardrailTestParts,
  user: User,
  input: GuardrailsTestInput & OfGuardrail,
  signal = new AbortController().signal,
): Promise<GuardrailsTestAnswer> {
  const { tenant, guardrail: id, text, on: phase = 'input', remote = false, draft } = input;
  const policy = draft
    ? await readDraft(parts, user, input, draft)
    : (await findGuardrail(parts, user, input)).policy;
  const rules = await parts.tryPolicy(policy, { tenant, text, phase, remote, signal });
  const version = draft ? null : policy.version;
  await recordChange(parts, user, 'guardrails.test', {
    tenant,
    target: id,
    after: {
      guardrail_test: {
        version,
        on: phase,
        remote,
        rules: rules.map(({ rule, action }) => `${rule.id}: ${action}`),
      },
    },
  });
  return { object: 'guardrail_test', id, version, on: phase, rules: rules.map(trialRow) };
}

/** Of a tenant that exists. Webhooks that are stored are called with their secrets, and others unsigned. */
async function readDraft(
  parts: GuardrailParts,
  user: User,
  { tenant, guardrail: id }: OfGuardrail,
  { always: _, ...terms }: GuardrailsPutInput,
): Promise<Policy> {
  const given = readRules(terms.rules, 'draft.rules');
  const stored = (await referencesOf(parts, user, tenant)).find((one) => one.id === id);
  const policy = stored && (await parts.policies.find(tenant, id, stored.version));
  const rules = withKnownSecrets(given, policy?.rules);
  return { id, version: 0, ...withoutUndefined(terms), rules } as Policy;
}

const trialRow = (trial: RuleTrial): GuardrailsTestAnswer['rules'][number] => ({
  rule: trial.rule.id,
  kind: trial.rule.kind,
  action: trial.action,
  matches: trial.findings
    .slice(0, maxMatches)
    .map(({ label, start, end }) => ({ label, start: start ?? null, end: end ?? null })),
  match_count: trial.findings.length,
  failure: trial.failure ?? null,
  duration_ms: Math.round(trial.ms),
  units: trial.units,
  cost_usd: dollarsOf(trial.cost),
});
