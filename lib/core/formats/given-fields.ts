/**
 * Objects of which few fields are given. zod builds the schema of every field, and runs it, also for those that are absent: in a new
 * process each of the six hundred schemas of a chat request costs 20 µs, and in an old one forty run for nothing. Here a field may be
 * a function, which builds its schema when a request first has the field, and only given fields run. A value that fits its schema as it
 * is passes by tests made of the schema's definition, and is what is read: no copy is made. Everything else is read by zod itself, so
 * that every issue, default and conversion is zod's own.
 */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import { isJsonObject } from './json-object.ts';
import { objectPasses, type Passes, passesOf } from './passes.ts';

/** A schema, or what builds that of an optional field without a default. */
type Fields = Readonly<
  Record<string, z.core.$ZodType | (() => z.core.$ZodOptional | z.core.$ZodExactOptional)>
>;

type Shape<Given extends Fields> = { readonly [Name in keyof Given]: SchemaOf<Given[Name]> };

type SchemaOf<Field> = Field extends () => infer Built
  ? SchemaOf<Built>
  : Field extends z.core.$ZodType
    ? Field
    : never;

/** What is read of an object with these fields. */
export type BodyOf<Given extends Fields> = z.output<z.ZodMiniObject<Shape<Given>>>;

type Check<Given extends Fields> = z.core.$ZodCheck<BodyOf<Given>>;

/** Leaves other fields out. The checks see the whole object, once all fields are right. */
export const objectOf = <const Given extends Fields>(
  fields: Given,
  ...checks: Check<Given>[]
): z.ZodMiniObject<Shape<Given>, z.core.$strip> => readGiven(fields, checks);

/** Refuses other fields. */
export const strictObjectOf = <const Given extends Fields>(
  fields: Given,
  ...checks: Check<Given>[]
): z.ZodMiniObject<Shape<Given>, z.core.$strict> => readGiven(fields, checks, z.never());

function readGiven<Schema extends z.core.$ZodType>(
  fields: Fields,
  checks: z.core.$ZodCheck<never>[],
  catchall?: z.core.$ZodType,
): Schema {
  const built = new Map<string, BuiltField>();
  const fieldOf = (name: string) => built.get(name) ?? build(name);
  function build(name: string): BuiltField {
    const field = fields[name] as Fields[string];
    const schema = typeof field === 'function' ? field() : field;
    const one = { schema, passes: passesOf(schema) };
    built.set(name, one);
    return one;
  }
  const required = lazy(() => Object.keys(fields).filter((name) => !isOptional(fields[name])));
  /** Undefined where a field is missing, wrong or unknown. */
  function read(given: Readonly<Record<string, unknown>>, context: z.core.ParseContextInternal) {
    const found: Record<string, unknown> = {};
    for (const name of Object.keys(given)) {
      if (Object.hasOwn(fields, name)) {
        const { schema, passes } = fieldOf(name);
        const value = given[name];
        if (passes?.(value)) {
          found[name] = value;
          continue;
        }
        const result = resultOf(schema, value, context);
        if (result.issues.length > 0) return undefined;
        found[name] = result.value;
      } else if (catchall) return undefined;
    }
    return required().every((name) => Object.hasOwn(given, name)) ? found : undefined;
  }
  const passes: Passes = (given) =>
    isJsonObject(given) &&
    Object.keys(given).every((name) => Object.hasOwn(fields, name) && fieldOf(name).passes?.(given[name])) &&
    required().every((name) => Object.hasOwn(given, name));
  const shape = shapeOf(fields, (name) => fieldOf(name).schema);
  const schema = new z.ZodMiniObject({ type: 'object', shape, checks, ...(catchall && { catchall }) });
  const { parse: parseAll } = schema._zod;
  const parse: typeof parseAll = (payload, context) => {
    const given: unknown = payload.value;
    const found = isJsonObject(given) ? read(given, context) : undefined;
    if (!found) return parseAll(payload, context);
    payload.value = found;
    return payload;
  };
  objectPasses.set(schema, passes);
  // Checks run after `parse`.
  Object.assign(schema._zod, checks.length > 0 ? { parse } : { parse, run: parse });
  // By these a union finds its form: zod would build all fields for them.
  Object.defineProperty(schema._zod, 'propValues', { get: lazy(() => literalsOf(fields)) });
  return schema as z.core.$ZodType as Schema;
}

interface BuiltField {
  readonly schema: z.core.$ZodType;
  readonly passes: Passes | undefined;
}

/** Its schemas are built when zod first reads it. */
function shapeOf(fields: Fields, schemaOf: (name: string) => z.core.$ZodType): z.core.$ZodShape {
  const shape = {};
  for (const name of Object.keys(fields))
    Object.defineProperty(shape, name, { get: () => schemaOf(name), enumerable: true });
  return shape;
}

const isOptional = (field: Fields[string] | undefined): boolean =>
  typeof field === 'function' || (field?._zod.optin === 'optional' && field._zod.optout === 'optional');

const literalsOf = (fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      typeof field === 'function' || !field._zod.values ? [] : [[name, field._zod.values]],
    ),
  );

/** No schema of ours waits. */
const resultOf = ({ _zod }: z.core.$ZodType, value: unknown, context: z.core.ParseContextInternal) =>
  _zod.run({ value, issues: [] }, context) as z.core.ParsePayload;
