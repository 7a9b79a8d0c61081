/**
 * In which order CloudFormation makes the resources of a template: each after those that it names. Source: AWS CloudFormation user guide,
 * "DependsOn attribute", and the intrinsic functions Ref, Fn::GetAtt and Fn::Sub.
 */
export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdatePolicy?: unknown;
}

export interface StackTemplate {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
}

/** The resources that each one names, by logical ids. */
export function dependenciesOf({ Resources }: StackTemplate): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    Object.entries(Resources).map(([id, { Properties, DependsOn = [], UpdatePolicy }]) => {
      const named = [DependsOn].flat().concat(namedIn([Properties, UpdatePolicy]));
      return [id, new Set(named.filter((name) => name !== id && Object.hasOwn(Resources, name)))];
    }),
  );
}

/** Everything that must be there before a resource, whether it names it or not. */
export function allBefore(id: string, dependencies: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>();
  const add = (name: string) => {
    for (const next of dependencies.get(name) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      add(next);
    }
  };
  add(id);
  return found;
}

/** Logical ids, each after what it depends on. Throws for a circle. */
export function creationOrder(template: StackTemplate): readonly string[] {
  const dependencies = dependenciesOf(template);
  const order = new Set<string>();
  const open = new Set<string>();
  const visit = (id: string) => {
    if (order.has(id)) return;
    if (open.has(id)) throw new Error(`A circle of dependencies contains ${id}.`);
    open.add(id);
    for (const before of dependencies.get(id) ?? []) visit(before);
    order.add(id);
  };
  for (const id of Object.keys(template.Resources)) visit(id);
  return [...order];
}

function namedIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namedIn);
  if (typeof value !== 'object' || value === null) return [];
  const { Ref: ref, 'Fn::GetAtt': attribute, 'Fn::Sub': text } = value as Record<string, unknown>;
  return [
    ...(typeof ref === 'string' ? [ref] : []),
    ...(attribute === undefined ? [] : [String([attribute].flat()[0]).split('.')[0] ?? '']),
    ...[...String([text ?? ''].flat()[0]).matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name),
    ...Object.values(value).flatMap(namedIn),
  ];
}
