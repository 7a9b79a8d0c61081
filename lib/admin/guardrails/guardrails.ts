/** Guardrails of a tenant: listed, shown, set and removed. A change makes a new version, which holds within ten seconds. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import type { Policy, PolicyReference } from '../../core/guardrails/policy.ts';
import type { PolicyStore } from '../../stores/access/guardrails.ts';
import { recordChange } from '../audit/record-change.ts';
import { absent, etagOf, requireMatch } from '../etag.ts';
import { refusalOf, requireTenant, tenantNotFound } from '../reach.ts';
import { endpointOf, type SubjectParts } from '../subject-endpoint.ts';
import { tenantPath } from '../tenants/schema.ts';
import { readRules, showRule } from './read-rule.ts';
import {
  type GuardrailRow,
  type GuardrailsDeleteAnswer,
  type GuardrailsListAnswer,
  type GuardrailsPutAnswer,
  type GuardrailsPutInput,
  guardrailPath,
  guardrailsPutInput,
  maxPolicies,
} from './schema.ts';
import { withSecrets } from './webhook-secrets.ts';

export interface GuardrailParts extends Pick<SubjectParts, 'tenantEdits' | 'audit' | 'now'> {
  readonly policies: PolicyStore;
}

interface OfTenant {
  readonly tenant: string;
}
export interface OfGuardrail extends OfTenant {
  readonly guardrail: string;
}

/** `GET /admin/v1/tenants/{tenant}/guardrails` */
export const listGuardrailsEndpoint = (parts: GuardrailParts) =>
  endpointOf(parts, tenantPath, nothing, listGuardrails);

export async function listGuardrails(
  parts: GuardrailParts,
  user: User,
  { tenant }: OfTenant,
): Promise<GuardrailsListAnswer> {
  const references = await referencesOf(parts, user, tenant);
  const data = await Promise.all(references.map((reference) => rowOf(parts, tenant, reference)));
  return { object: 'list', data, has_more: false, next_after: null };
}

/** `GET /admin/v1/tenants/{tenant}/guardrails/{guardrail}` */
export const retrieveGuardrailEndpoint = (parts: GuardrailParts) =>
  endpointOf(parts, guardrailPath, nothing, retrieveGuardrail);

export async function retrieveGuardrail(
  parts: GuardrailParts,
  user: User,
  of: OfGuardrail,
): Promise<GuardrailRow> {
  const { policy, reference } = await findGuardrail(parts, user, of);
  return show(of.tenant, policy, reference);
}

/** Rejects with GatewayError `not_found`. */
export async function findGuardrail(
  parts: GuardrailParts,
  user: User,
  { tenant, guardrail }: OfGuardrail,
): Promise<{ readonly policy: Policy; readonly reference: PolicyReference }> {
  const references = await referencesOf(parts, user, tenant);
  const reference = references.find(({ id }) => id === guardrail);
  if (!reference) throw notFound(guardrail);
  return { policy: await policyOf(parts, tenant, reference), reference };
}

/** `PUT /admin/v1/tenants/{tenant}/guardrails/{guardrail}` */
export const putGuardrailEndpoint = (parts: GuardrailParts) =>
  endpointOf(parts, guardrailPath, guardrailsPutInput, putGuardrail);

export async function putGuardrail(
  parts: GuardrailParts,
  user: User,
  { tenant, guardrail: id, always = false, ...terms }: GuardrailsPutInput & OfGuardrail,
  ifMatch?: string,
): Promise<GuardrailsPutAnswer> {
  const given = readRules(terms.rules, 'rules');
  const references = await referencesOf(parts, user, tenant);
  const before = references.find((one) => one.id === id);
  requireMatch(ifMatch, tagOf(id, before), `The guardrail ${id}`);
  if (!before && references.length >= maxPolicies)
    throw refusalOf('guardrail', `A tenant has at most ${maxPolicies} guardrails.`);
  // A version is never used again, also of one that was deleted.
  const version = Math.max((before?.version ?? 0) + 1, Math.floor(parts.now() / 1000));
  const replaced = before && (await policyOf(parts, tenant, before));
  const { rules, made } = withSecrets(given, replaced?.rules);
  const policy = { id, version, ...withoutUndefined(terms), rules } as Policy;
  if (!(await parts.policies.create(tenant, policy))) throw changedMeanwhile(id);
  const after = { id, version, always };
  await parts.tenantEdits.edit(tenant, ({ guardrails = [] }) => {
    if (guardrails.find((one) => one.id === id)?.version !== before?.version) throw changedMeanwhile(id);
    return { guardrails: [...guardrails.filter((one) => one.id !== id), after] };
  });
  if (before) await parts.policies.retire(tenant, id, before.version, parts.now());
  const row = show(tenant, policy, after);
  await recordChange(parts, user, 'guardrails.set', {
    tenant,
    target: id,
    before: before && replaced && audited(show(tenant, replaced, before)),
    after: { ...audited(row), ...(made && { new_webhook_secrets: Object.keys(made) }) },
  });
  return { ...row, ...(made && { webhook_secrets: made }) };
}

/** `DELETE /admin/v1/tenants/{tenant}/guardrails/{guardrail}` */
export const deleteGuardrailEndpoint = (parts: GuardrailParts) =>
  endpointOf(parts, guardrailPath, nothing, deleteGuardrail);

/** Keys that name it are refused from then on. */
export async function deleteGuardrail(
  parts: GuardrailParts,
  user: User,
  { tenant, guardrail: id }: OfGuardrail,
  ifMatch?: string,
): Promise<GuardrailsDeleteAnswer> {
  const before = await retrieveGuardrail(parts, user, { tenant, guardrail: id });
  requireMatch(ifMatch, before.etag, `The guardrail ${id}`);
  await parts.tenantEdits.edit(tenant, ({ guardrails = [] }) => {
    if (guardrails.find((one) => one.id === id)?.version !== before.version) throw changedMeanwhile(id);
    const left = guardrails.filter((one) => one.id !== id);
    return { guardrails: left.length > 0 ? left : null };
  });
  await parts.policies.retire(tenant, id, before.version, parts.now());
  await recordChange(parts, user, 'guardrails.delete', { tenant, target: id, before: audited(before) });
  return { object: 'guardrail', id, deleted: true };
}

/** Rejects with GatewayError `not_found` for a tenant that the user does not reach. */
export async function referencesOf(
  { tenantEdits }: GuardrailParts,
  user: User,
  name: string,
): Promise<readonly PolicyReference[]> {
  requireTenant(user, name);
  const tenant = await tenantEdits.find(name);
  if (!tenant) throw tenantNotFound(name);
  return tenant.guardrails ?? [];
}

async function policyOf(
  { policies }: GuardrailParts,
  tenant: string,
  { id, version }: PolicyReference,
): Promise<Policy> {
  const policy = await policies.find(tenant, id, version);
  if (!policy) throw notFound(id);
  return policy;
}

const rowOf = async (parts: GuardrailParts, tenant: string, reference: PolicyReference) =>
  show(tenant, await policyOf(parts, tenant, reference), reference);

const show = (
  tenant: string,
  { id, version, rules, ...terms }: Policy,
  { always }: PolicyReference,
): GuardrailRow => ({
  object: 'guardrail',
  id,
  tenant,
  version,
  etag: tagOf(id, { version }),
  always,
  scan: terms.scan ?? 'new',
  output: terms.output ?? 'window',
  answer: terms.answer ?? 'error',
  rules: rules.map(showRule),
});

/** A version never changes, and each guardrail has its own. */
const tagOf = (id: string, found: Pick<PolicyReference, 'version'> | undefined): string =>
  found ? etagOf([id, found.version]) : absent;

/** What rules look for may be a secret of its own: the audit log has their names and what they do. */
const audited = ({ version, always, scan, output, answer, rules }: GuardrailRow) => ({
  version,
  always,
  scan,
  output,
  answer,
  rules: rules.map(({ id, kind, on, action }) => `${id}: ${action} ${kind} ${on.join('+')}`),
});

const notFound = (id: string) =>
  new GatewayError('not_found', `Guardrail not found: ${id}.`, { param: 'guardrail' });

const changedMeanwhile = (id: string) =>
  new GatewayError('conflict', `The guardrail ${id} was changed at the same time. Look at it and try again.`);
