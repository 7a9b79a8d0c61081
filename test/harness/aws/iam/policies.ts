/** The statements of the policies that a role of a template has. */
import type { Resolve, ResourceJson, TemplateJson } from './resolve.ts';

export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** Operators, keys and values. */
  readonly conditions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** Throws Error for what the evaluator cannot judge: other elements of statements, or policies that AWS manages. */
export function statementsOf(
  role: string,
  {
    stack,
    template,
    resolve,
  }: { readonly stack: string; readonly template: TemplateJson; readonly resolve: Resolve },
): readonly Statement[] {
  const resources = template.Resources ?? {};
  const own = resources[role];
  if (own?.Type !== 'AWS::IAM::Role') throw new Error(`${role} is no role.`);
  if (own.Properties?.ManagedPolicyArns !== undefined)
    throw new Error(`The role ${role} has policies that AWS manages, which cannot be judged here.`);
  const inline = listOf(own.Properties?.Policies) as readonly { readonly PolicyDocument: unknown }[];
  const attached = Object.values(resources).filter((resource) => isAttached(resource, role));
  const documents = [...inline, ...attached.map(({ Properties }) => Properties ?? {})].map(
    (one) => (one as { readonly PolicyDocument: unknown }).PolicyDocument,
  );
  return documents.flatMap((document) => {
    const { Statement } = resolve(stack, document) as { readonly Statement: unknown };
    return listOf(Statement).map(readStatement);
  });
}

function isAttached({ Type, Properties }: ResourceJson, role: string): boolean {
  if (Type !== 'AWS::IAM::Policy' && Type !== 'AWS::IAM::ManagedPolicy') return false;
  return listOf(Properties?.Roles).some((one) => (one as { readonly Ref?: string }).Ref === role);
}

const known = ['Sid', 'Effect', 'Action', 'Resource', 'Condition'];

function readStatement(value: unknown): Statement {
  const given = value as Readonly<Record<string, unknown>>;
  const other = Object.keys(given).find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`Statements with ${other} cannot be judged here.`);
  const conditions = Object.entries((given.Condition ?? {}) as Readonly<Record<string, object>>);
  return {
    effect: given.Effect === 'Deny' ? 'Deny' : 'Allow',
    actions: listOf(given.Action).map(String),
    resources: listOf(given.Resource).map(String),
    conditions: Object.fromEntries(
      conditions.map(([operator, keys]) => [
        operator,
        Object.fromEntries(Object.entries(keys).map(([key, values]) => [key, listOf(values).map(String)])),
      ]),
    ),
  };
}
