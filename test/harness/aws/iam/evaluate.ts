/**
 * Judges requests by statements, as IAM does: a denial wins, and what no statement allows is denied. Sources: docs.aws.amazon.com IAM,
 * reference_policies_evaluation-logic, reference_policies_elements_condition_operators, reference_policies_condition-single-vs-multi-valued-context-keys.
 */
import type { AccessRequest } from '../service.ts';
import type { Statement } from './policies.ts';

export function isAllowed(statements: readonly Statement[], access: AccessRequest): boolean {
  const applying = statements.filter((statement) => applies(statement, access));
  return applying.length > 0 && applying.every(({ effect }) => effect === 'Allow');
}

export function applies({ actions, resources, conditions }: Statement, access: AccessRequest): boolean {
  return (
    actions.some((pattern) => like(pattern.toLowerCase(), access.action.toLowerCase())) &&
    resources.some((pattern) => like(pattern, access.resource)) &&
    Object.entries(conditions).every(([operator, keys]) =>
      Object.entries(keys).every(([key, values]) => holds(operator, values, valuesOf(access, key))),
    )
  );
}

/** `*` is any text, `?` any character. */
export function like(pattern: string, text: string): boolean {
  const expression = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${expression.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text);
}

/** Names of keys are the same in any case. Undefined for a key that the request does not have. */
function valuesOf({ context = {} }: AccessRequest, key: string): readonly string[] | undefined {
  return Object.entries(context).find(([name]) => name.toLowerCase() === key.toLowerCase())?.[1];
}

type Compare = (wanted: string, given: string) => boolean;

const same: Compare = (wanted, given) => wanted === given;
const sameInAnyCase: Compare = (wanted, given) => wanted.toLowerCase() === given.toLowerCase();

/** Operators with what they compare; negated ones hold for a key that is missing. */
const operators: Readonly<Record<string, { readonly compare: Compare; readonly isNegated?: boolean }>> = {
  StringEquals: { compare: same },
  StringNotEquals: { compare: same, isNegated: true },
  StringEqualsIgnoreCase: { compare: sameInAnyCase },
  StringLike: { compare: like },
  StringNotLike: { compare: like, isNegated: true },
  ArnEquals: { compare: like },
  ArnLike: { compare: like },
  ArnNotLike: { compare: like, isNegated: true },
  Bool: { compare: sameInAnyCase },
};

function holds(operator: string, wanted: readonly string[], given: readonly string[] | undefined): boolean {
  const [, set, name = '', ifExists] =
    /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(operator) ?? [];
  if (name === 'Null') return wanted.some((one) => (one === 'true') === (given === undefined));
  const found = operators[name];
  if (!found) throw new Error(`The operator ${operator} is not known.`);
  if (wanted.some((one) => one.includes('${'))) throw new Error('Variables of policies are not known.');
  const { compare, isNegated = false } = found;
  const matches = (value: string) => wanted.some((one) => compare(one, value)) !== isNegated;
  if (given === undefined) return ifExists !== undefined || set === 'ForAllValues' || isNegated;
  if (set === 'ForAllValues') return given.every(matches);
  if (set === 'ForAnyValue') return given.some(matches);
  // A key with several values needs an operator for sets.
  return given.length === 1 && given.every(matches);
}
