/**
 * Which policies apply to a request: those of its tenant that always do, those of its key, and those that it asks for itself. More of
 * them only add rules, whatever the order: no key and no request can take one away.
 */
import { GatewayError } from '../errors/errors.ts';
import { invalid } from '../errors/invalid.ts';
import type { PolicyReference } from './policy.ts';

/** Of a key, as far as it is about guardrails. */
interface GuardedKey {
  readonly keyPolicy?: { readonly guardrailIds?: readonly string[] };
  readonly tenantPolicy?: { readonly guardrails?: readonly PolicyReference[] };
}

/** `asked`: the ids that the request names. Sorted by their ids. Throws GatewayError for an id that the tenant does not have. */
export function appliedPolicies(
  { keyPolicy, tenantPolicy }: GuardedKey,
  asked: readonly string[] = [],
): readonly PolicyReference[] {
  const { guardrails: own = [] } = tenantPolicy ?? {};
  const { guardrailIds: ofKey = [] } = keyPolicy ?? {};
  const known = new Set(own.map(({ id }) => id));
  const unknown = asked.findIndex((id) => !known.has(id));
  if (unknown >= 0)
    throw invalid(`extra.guardrails.${unknown}`, 'is not the id of a guardrail of your tenant');
  // A key keeps what it was given: without the policy, nothing says what it may do.
  const lost = ofKey.find((id) => !known.has(id));
  if (lost !== undefined) throw guardrailUnavailable(lost, 'its tenant does not have it');
  const named = new Set([...ofKey, ...asked]);
  return own
    .filter(({ id, always }) => always || named.has(id))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** For what depends on the policies, such as cached answers: what applies, as one text. Empty: nothing. */
export const policyVersions = (key: GuardedKey, asked: readonly string[] = []): string =>
  appliedPolicies(key, asked)
    .map(({ id, version }) => `${id}@${version}`)
    .join(',');

/** `problem`: why it cannot be applied, as half a sentence. */
export const guardrailUnavailable = (policy: string, problem: string): GatewayError =>
  new GatewayError('guardrail_unavailable', `The guardrail '${policy}' cannot be applied: ${problem}.`);
