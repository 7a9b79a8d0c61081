/** Requests that differ from one in a single field: in every field that a documented schema has, and in each value of a body. */
import type { JsonSchema } from '../../build/openapi/json-schema.ts';

/** Deeper fields repeat the ones above them. */
const maxDepth = 9;

/** Some values of a schema, of which each has another field or another value. Not all need be valid: rules may span several fields. */
function* valuesOf(schema: JsonSchema, depth = 0): Generator<unknown> {
  const {
    anyOf,
    oneOf,
    properties,
    required = [],
    items,
    additionalProperties,
    minimum = 1,
    maximum,
  } = schema;
  if (depth > maxDepth || schema.not) return;
  if (schema.const !== undefined) yield schema.const;
  else if (schema.enum) yield* schema.enum;
  for (const one of [...(anyOf ?? []), ...(oneOf ?? [])]) yield* valuesOf(one, depth + 1);
  if (schema.const !== undefined || schema.enum || anyOf || oneOf) return;
  const types = [schema.type].flat();
  if (types.includes('string')) yield 'some text';
  if (types.includes('boolean')) yield* [true, false];
  if (types.includes('integer') || types.includes('number'))
    yield* [minimum, Math.min(minimum + 1, maximum ?? minimum + 1)];
  if (types.includes('array')) for (const value of valuesOf(items ?? {}, depth + 1)) yield [value];
  if (!types.includes('object')) return;
  const least = leastOf(required, properties, depth);
  yield least;
  for (const [name, field] of Object.entries(properties ?? {}))
    for (const value of valuesOf(field, depth + 1)) yield { ...least, [name]: value };
  if (typeof additionalProperties === 'object')
    for (const value of valuesOf(additionalProperties, depth + 1)) yield { ...least, '1': value };
  else if (!properties) yield { any: 'text' };
}

const leastOf = (names: readonly string[], fields: JsonSchema['properties'], depth: number): object =>
  Object.fromEntries(names.map((name) => [name, valuesOf(fields?.[name] ?? {}, depth + 1).next().value]));

type Body = Readonly<Record<string, unknown>>;

/** The body with each value of each field of its schema. Objects that it has are kept beside. */
export function* withEachField(schema: JsonSchema, body: Body): Generator<Body> {
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    for (const value of valuesOf(field)) yield { ...body, [name]: beside(body[name], value) };
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const beside = (old: unknown, value: unknown): unknown =>
  isObject(old) && isObject(value) ? { ...old, ...value } : value;

/** A value with one of its leaves changed, or one of its members left out. */
export function* withEachLeaf(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield `${value}x`;
  if (typeof value === 'number') yield value + 1;
  if (typeof value === 'boolean') yield !value;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      yield value.toSpliced(at, 1);
      for (const changed of withEachLeaf(item)) yield value.with(at, changed);
    }
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _, ...others } = value;
      yield others;
      for (const changed of withEachLeaf(item)) yield { ...value, [name]: changed };
    }
  }
}

/** The same value with the members of all objects in the opposite order. */
export function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, item]) => [name, reordered(item)])
      .reverse(),
  );
}
