/**
 * Puts descriptions on the fields of a request's schema, from a table of paths (`messages[].content[].text`), and gives
 * names to the parts that deserve one. The alternatives of a field share its path.
 */
import type { JsonSchema } from './json-schema.ts';

/** A sentence for each field, by its path. */
export type Fields = Readonly<Record<string, string>>;

export interface Described {
  readonly schema: JsonSchema;
  /** The parts that have a name, by their names. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** Paths of the tables that were used. */
  readonly used: readonly string[];
  /** Paths of fields without a description. */
  readonly missing: readonly string[];
}

interface Work {
  readonly fields: Fields;
  readonly names: Fields;
  readonly components: Record<string, JsonSchema>;
  readonly used: Set<string>;
  readonly missing: Set<string>;
}

/** `names`: the names of parts, by their paths. */
export function describeFields(schema: JsonSchema, fields: Fields, names: Fields = {}): Described {
  const work: Work = { fields, names, components: {}, used: new Set(), missing: new Set() };
  const described = visit(schema, '', work);
  return { schema: described, components: work.components, used: [...work.used], missing: [...work.missing] };
}

function visit(schema: JsonSchema, path: string, work: Work): JsonSchema {
  const { properties, items, anyOf, oneOf, ...rest } = schema;
  const visited: JsonSchema = {
    ...titleOf(schema),
    ...rest,
    ...(properties && { properties: visitFields(properties, path, work) }),
    ...(items && { items: named(visit(items, `${path}[]`, work), `${path}[]`, work) }),
    ...(anyOf && { anyOf: anyOf.map((one) => visit(one, path, work)) }),
    ...(oneOf && { oneOf: oneOf.map((one) => visit(one, path, work)) }),
  };
  return visited;
}

function visitFields(
  properties: Readonly<Record<string, JsonSchema>>,
  above: string,
  work: Work,
): Readonly<Record<string, JsonSchema>> {
  const fields = Object.entries(properties).map(([name, field]) => {
    const path = above === '' ? name : `${above}.${name}`;
    const description = work.fields[path];
    if (description === undefined) work.missing.add(path);
    else work.used.add(path);
    const deprecated = description?.startsWith('Deprecated') && { deprecated: true };
    return [name, { description, ...deprecated, ...named(visit(field, path, work), path, work) }];
  });
  return Object.fromEntries(fields);
}

/** A reference in place of a part that has a name. */
function named(schema: JsonSchema, path: string, work: Work): JsonSchema {
  const name = work.names[path];
  if (name === undefined) return schema;
  work.used.add(path);
  work.components[name] = schema;
  return { $ref: `#/components/schemas/${name}` };
}

/** The title of an alternative: its constant `type` or `role`. */
function titleOf({ properties }: JsonSchema): JsonSchema {
  const value = properties?.type?.const ?? properties?.role?.const;
  return typeof value === 'string' ? { title: value } : {};
}
