/**
 * Objects of which few fields are given. zod builds the schema of every field, and runs it, also for those that are absent: in a new
 * process each of the six hundred schemas of a chat request costs 20 µs, and in an old one forty run for nothing. Here a field may be
 * a function, which builds its schema when a request first has the field, and only given fields run, of which a simple one passes by its
 * type alone. What does not simply pass is read by zod itself, so that every issue is zod's own.
 */
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import { isJsonObject } from './json-object.ts';

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

/** Whether a value passes a schema as it is. It may be false for one that would pass. */
type Passes = (value: unknown) => boolean;

const declared = new WeakMap<z.core.$ZodType, Passes>();

/** Says what passes a schema with checks of its own, each of which zod would run. */
export function passing<Schema extends z.core.$ZodType>(schema: Schema, passes: Passes): Schema {
  declared.set(schema, passes);
  return schema;
}

/** What of a schema's definition is looked at. */
interface Definition {
  readonly type: string;
  readonly checks?: readonly unknown[];
  readonly format?: string;
  readonly coerce?: boolean;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
}

/** Undefined where zod has to be asked. */
function passesOf(schema: z.core.$ZodType): Passes | undefined {
  const { checks = [], format, coerce, type, innerType, element } = schema._zod.def as Definition;
  const isPlain = checks.length === 0 && format === undefined && coerce !== true;
  return declared.get(schema) ?? (isPlain ? plainPasses(type, schema, innerType ?? element) : undefined);
}

function plainPasses(type: string, schema: z.core.$ZodType, part?: z.core.$ZodType): Passes | undefined {
  const passes = part && passesOf(part);
  switch (type) {
    case 'string':
    case 'boolean':
      return (value) => typeof value === type;
    case 'number':
      return Number.isFinite;
    case 'enum':
    case 'literal':
      return (value) => schema._zod.values?.has(value as string) === true;
    case 'optional':
      return passes;
    case 'nullable':
      return passes && ((value) => value === null || passes(value));
    case 'array':
      return passes && ((value) => Array.isArray(value) && value.every(passes));
    default:
      return undefined;
  }
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
