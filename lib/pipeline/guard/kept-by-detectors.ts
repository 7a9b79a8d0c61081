/** Detectors elsewhere are places that get what a caller sends, so the data policy holds for them as for models. */
import { keepsNothing, type OwnData, providerData } from '../../core/catalog/provider-data.ts';
import { areWithin } from '../../core/catalog/regions.ts';
import type { Call } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { Policy, Rule, RuleKind } from '../../core/guardrails/policy.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { preferencesOf } from '../../routing/data-rule.ts';
import type { ProviderPreferences } from '../../routing/provider-preferences.ts';

/** Whose service applies a rule. A webhook is a server of the operator's own. */
const providerOf: Partial<Record<RuleKind, string>> = {
  bedrock: 'bedrock',
  bedrock_checks: 'bedrock',
  openai: 'openai',
};

export interface AskedOfDetectors {
  readonly preferences?: ProviderPreferences;
  readonly guardrails?: readonly string[];
}

/** Rejects with GatewayError `invalid_request` where a detector that would be asked does not comply. */
export async function checkDetectors(
  { catalog }: { readonly catalog: Pick<Catalog, 'dataFacts'> },
  policies: readonly Policy[],
  { preferences, guardrails = [] }: AskedOfDetectors,
  { key }: Pick<Call<unknown>, 'key'>,
): Promise<void> {
  const wanted = preferencesOf(key, preferences);
  if (!wanted.noRetention && !wanted.noTraining && !wanted.regions) return;
  const own = (await catalog.dataFacts?.()) ?? {};
  for (const { id, rules } of policies) {
    for (const rule of rules) {
      const against = reasonAgainst(rule, wanted, own);
      if (against === undefined) continue;
      const message = `The rule '${rule.id}' of the guardrail '${id}' has its texts looked at by '${providerOf[rule.kind]}', which is not known to comply with '${against}'.`;
      const asked = guardrails.indexOf(id);
      const param = asked < 0 ? 'model' : `extra.guardrails.${asked}`;
      throw new GatewayError('invalid_request', message, { param, code: 'data_policy' });
    }
  }
}

function reasonAgainst(
  rule: Rule,
  { noRetention, noTraining, regions }: ProviderPreferences,
  own: OwnData,
): string | undefined {
  const provider = providerOf[rule.kind];
  if (provider === undefined) return undefined;
  const facts = { ...providerData[provider], ...own[provider] };
  if (noRetention && !keepsNothing(facts)) return 'zdr';
  if (noTraining && facts.trains !== false) return 'no_training';
  const at = 'region' in rule ? [rule.region] : undefined;
  return regions && !areWithin(at, regions) ? 'regions' : undefined;
}
