/** A rule as it is stored, and as it is shown. What a kind needs must be given, and what it does not have must not. */
import { formatDollars, parseDollars } from '../../core/accounting/money.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import { problemOfPattern } from '../../core/guardrails/pattern/read-pattern.ts';
import type { Rule } from '../../core/guardrails/policy.ts';
import { personalTypes, type RuleInput, type ruleKinds } from './schema.ts';

type Kind = (typeof ruleKinds)[number];
type Setting = Exclude<
  keyof RuleInput,
  'id' | 'kind' | 'on' | 'action' | 'when' | 'on_failure' | 'timeout_ms'
>;

interface KindTerms {
  readonly needs: readonly Setting[];
  readonly may?: readonly Setting[];
  /** It says that something is there, and not where. */
  readonly isWhole?: true;
}

const kinds: Readonly<Record<Kind, KindTerms>> = {
  words: { needs: ['words'] },
  pattern: { needs: ['patterns'] },
  pii: { needs: [], may: ['types'] },
  secrets: { needs: [] },
  bedrock: { needs: ['guardrail', 'guardrail_version', 'region'] },
  bedrock_checks: { needs: ['region', 'unit_price_usd'], may: ['checks', 'threshold', 'types'] },
  openai: { needs: [], isWhole: true },
  webhook: { needs: ['url'] },
};

const settings: readonly Setting[] = [
  ...(['words', 'patterns', 'types', 'guardrail', 'guardrail_version', 'region', 'checks'] as const),
  ...(['threshold', 'url', 'unit_price_usd'] as const),
];

const why: Partial<Record<Setting, string>> = {
  unit_price_usd: ": what your AWS bill has for a text unit, '0' if nothing. Budgets are kept with it",
};

/** Larger ones would be read slowly. In bytes of JSON. */
const maxStored = 200_000;

/** Throws GatewayError `invalid_request` that names the field, which begins with `path`. */
export function readRules(given: readonly RuleInput[], path: string): readonly Rule[] {
  const rules = given.map((rule, index) => readRule(rule, `${path}.${index}`));
  const twice = rules.findIndex((rule, index) => rules.findIndex((other) => other.id === rule.id) < index);
  if (twice >= 0) throw invalid(`${path}.${twice}.id`, 'is the id of another rule');
  if (Buffer.byteLength(JSON.stringify(rules)) > maxStored)
    throw invalid(path, `may have at most ${maxStored} bytes`);
  return rules;
}

function readRule(given: RuleInput, path: string): Rule {
  const { kind, action, when } = given;
  const { needs, may = [], isWhole } = kinds[kind];
  const missing = needs.find((name) => given[name] === undefined);
  if (missing)
    throw invalid(`${path}.${missing}`, `is required for rules of the kind '${kind}'${why[missing] ?? ''}`);
  const foreign = settings.find(
    (name) => given[name] !== undefined && !needs.includes(name) && !may.includes(name),
  );
  if (foreign) throw invalid(`${path}.${foreign}`, `is not a setting of rules of the kind '${kind}'`);
  if (action === 'redact' && isWhole)
    throw invalid(
      `${path}.action`,
      `cannot be 'redact' for the kind '${kind}': it does not say where something is`,
    );
  if (action === 'redact' && when === 'parallel')
    throw invalid(
      `${path}.when`,
      "cannot be 'parallel' with the action 'redact': the provider would have the text",
    );
  checkWords(given, path);
  checkPatterns(given, path);
  if (kind === 'pii') checkTypes(given, path);
  if (kind === 'webhook' && !/^https?:\/\//.test(given.url ?? ''))
    throw invalid(`${path}.url`, 'must be an https URL');
  const { id, on, on_failure: onFailure, timeout_ms: timeoutMs, guardrail_version: guardrailVersion } = given;
  const own = Object.fromEntries(settings.map((name) => [name, given[name]]));
  const { guardrail_version: _, unit_price_usd: price, ...others } = own;
  const unitPrice = typeof price === 'string' ? parseDollars(price) : undefined;
  return withoutUndefined({
    id,
    kind,
    on,
    action,
    when,
    onFailure,
    timeoutMs,
    guardrailVersion,
    unitPrice,
    ...others,
  }) as unknown as Rule;
}

/** Texts are read by their words: nothing else would be found. */
function checkWords({ words = [] }: RuleInput, path: string): void {
  const empty = words.findIndex((word) => !/[\p{L}\p{N}]/u.test(word));
  if (empty >= 0)
    throw invalid(`${path}.words.${empty}`, 'must have a letter or a digit; use a pattern for signs');
}

function checkPatterns({ patterns = [] }: RuleInput, path: string): void {
  for (const [index, pattern] of patterns.entries()) {
    const problem = problemOfPattern(pattern);
    if (problem) throw invalid(`${path}.patterns.${index}`, problem);
  }
}

function checkTypes({ types = [] }: RuleInput, path: string): void {
  const unknown = types.findIndex((type) => !personalTypes.includes(type));
  if (unknown >= 0) throw invalid(`${path}.types.${unknown}`, `must be one of ${personalTypes.join(', ')}`);
}

export function showRule(rule: Rule): RuleInput {
  const {
    onFailure,
    timeoutMs,
    guardrailVersion,
    unitPrice,
    secret: _,
    ...shown
  } = rule as Rule & {
    readonly secret?: string;
    readonly guardrailVersion?: string;
    readonly unitPrice?: number;
  };
  return withoutUndefined({
    ...shown,
    on_failure: onFailure,
    timeout_ms: timeoutMs,
    guardrail_version: guardrailVersion,
    unit_price_usd: unitPrice === undefined ? undefined : formatDollars(unitPrice),
  }) as unknown as RuleInput;
}
