/**
 * With what the calls of webhooks of rules are signed. A secret stays while its rule keeps its id and its URL, and goes to no other
 * address; it is shown in the answer to the change that made it, and never again.
 */
import type { Rule } from '../../core/guardrails/policy.ts';
import { newSecret } from '../../core/webhooks/sign.ts';

/** `before`: the rules that these replace. What is new has none. */
export const withKnownSecrets = (rules: readonly Rule[], before: readonly Rule[] = []): readonly Rule[] =>
  rules.map((rule) => {
    const known = before.find(({ id }) => id === rule.id);
    if (rule.kind !== 'webhook' || known?.kind !== 'webhook' || known.url !== rule.url) return rule;
    return known.secret === undefined ? rule : { ...rule, secret: known.secret };
  });

/** `made`: those that are new, by the ids of their rules; undefined: none. */
export function withSecrets(
  rules: readonly Rule[],
  before?: readonly Rule[],
): { readonly rules: readonly Rule[]; readonly made: Readonly<Record<string, string>> | undefined } {
  const made: [string, string][] = [];
  const all = withKnownSecrets(rules, before).map((rule) => {
    if (rule.kind !== 'webhook' || rule.secret !== undefined) return rule;
    const secret = newSecret();
    made.push([rule.id, secret]);
    return { ...rule, secret };
  });
  return { rules: all, made: made.length > 0 ? Object.fromEntries(made) : undefined };
}
