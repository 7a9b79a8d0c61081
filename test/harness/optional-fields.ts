/** The optional fields of a request's schema, wherever they are in it. */
import * as z from 'zod/mini';

type Schema = z.core.$ZodType;

/** A schema's own parts, by the kind of schema. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly options?: readonly Schema[];
  readonly innerType?: Schema;
}

const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition;

/** The forms of a union, and of a `chosenVariant`. */
function optionsOf(schema: Schema): readonly Schema[] {
  const { options = [] } = definitionOf(schema);
  return 'forms' in schema && Array.isArray(schema.forms) ? schema.forms : options;
}

const inside = (schema: Schema): Schema => {
  const { innerType } = definitionOf(schema);
  return innerType ? inside(innerType) : schema;
};

/** Every optional field of the schema and of what is in it. */
export function nestedSchemas(schema: Schema, name = ''): readonly { name: string; schema: Schema }[] {
  const inner = inside(schema);
  const { shape = {}, element } = definitionOf(inner);
  const fields = Object.entries(shape).flatMap(([field, value]) => {
    const path = name === '' ? field : `${name}.${field}`;
    const own = definitionOf(value).type === 'optional' ? [{ name: path, schema: value }] : [];
    return [...own, ...nestedSchemas(value, path)];
  });
  const elements = element ? nestedSchemas(element, `${name}[]`) : [];
  return [...fields, ...elements, ...optionsOf(inner).flatMap((option) => nestedSchemas(option, name))];
}

export interface OptionalField {
  readonly path: readonly string[];
  /** The body without the field. */
  readonly absent: unknown;
}

/** The optional fields that the objects of this body could have. */
export function optionalFields(schema: Schema, body: unknown): readonly OptionalField[] {
  return pathsOf(schema, body, []).map((path) => ({ path, absent: changed(body, path, undefined) }));
}

function pathsOf(schema: Schema, value: unknown, path: readonly string[]): readonly (readonly string[])[] {
  const inner = inside(schema);
  const option = optionsOf(inner).find((one) => z.safeParse(one, value).success);
  if (option) return pathsOf(option, value, path);
  const { shape, element } = definitionOf(inner);
  if (element && Array.isArray(value)) {
    return value.flatMap((item, index) => pathsOf(element, item, [...path, `${index}`]));
  }
  if (!shape || typeof value !== 'object' || value === null) return [];
  const held = value as Readonly<Record<string, unknown>>;
  return Object.entries(shape).flatMap(([name, field]) => [
    ...(definitionOf(field).type === 'optional' ? [[...path, name]] : []),
    ...pathsOf(field, held[name], [...path, name]),
  ]);
}

/** The body with null in the field. */
export const withNullAt = (body: unknown, path: readonly string[]): unknown => changed(body, path, null);

function changed(value: unknown, [step, ...rest]: readonly string[], to: null | undefined): unknown {
  if (step === undefined) return to;
  if (Array.isArray(value)) return value.with(Number(step), changed(value[Number(step)], rest, to));
  const { [step]: own, ...others } = value as Record<string, unknown>;
  const inner = changed(own, rest, to);
  return inner === undefined ? others : { ...others, [step]: inner };
}
