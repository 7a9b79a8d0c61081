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
  ofObjects.set(schema, passes);
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

/** Of objects that are made here. */
const ofObjects = new WeakMap<z.core.$ZodType, Passes>();

/** What is looked at of the definition of a schema, or of a check. */
interface Definition {
  readonly type?: string;
  readonly check?: string;
  readonly format?: string;
  readonly coerce?: boolean;
  readonly pattern?: RegExp;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly keyType?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly checks?: readonly DefinedCheck[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** A bound of a number. */
  readonly value?: number;
  readonly inclusive?: boolean;
  /** Of `refine`. */
  readonly fn?: (value: unknown) => unknown;
  readonly when?: unknown;
}

interface DefinedCheck {
  readonly _zod: { readonly def: Definition };
}

/** Undefined where zod has to be asked. */
function passesOf(schema: z.core.$ZodType): Passes | undefined {
  const definition = schema._zod.def as Definition;
  const tests: Passes[] = [];
  const { type, checks = [], element } = definition;
  const items = type === 'array' ? [passesItems(element)] : [];
  // Of a list, its bounds come before its items, and what looks at the items after them.
  const bounds = checks.filter(isOfLength).map(passesCheck);
  const others = checks.filter((check) => !isOfLength(check)).map(passesCheck);
  for (const test of [passesType(schema, definition), ...bounds, ...items, ...others]) {
    if (!test) return undefined;
    tests.push(test);
  }
  const [first] = tests;
  return tests.length === 1 ? first : (value) => tests.every((test) => test(value));
}

function passesType(schema: z.core.$ZodType, definition: Definition): Passes | undefined {
  const { type, format, innerType } = definition;
  const passes = innerType && passesOf(innerType);
  switch (type) {
    case 'unknown':
      return () => true;
    case 'string':
      if (format !== undefined) return passesFormat(definition);
      return (value) => typeof value === 'string';
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'number':
      if (format !== undefined) return format === 'safeint' ? Number.isSafeInteger : undefined;
      return Number.isFinite;
    case 'enum':
    case 'literal':
      return (value) => schema._zod.values?.has(value as string) === true;
    case 'optional':
      return passes;
    case 'nullable':
      return passes && ((value) => value === null || passes(value));
    case 'array':
      return Array.isArray;
    case 'record':
      return passesRecord(definition);
    case 'union':
      return passesUnion(definition);
    default:
      return ofObjects.get(schema);
  }
}

function passesItems(element: z.core.$ZodType | undefined): Passes | undefined {
  const passes = element && passesOf(element);
  return passes && ((value) => (value as readonly unknown[]).every(passes));
}

/** Formats that are no more than their pattern. */
const patterns = ['regex', 'date', 'datetime'];

function passesFormat({ format = '', pattern }: Definition): Passes | undefined {
  if (!patterns.includes(format) || !pattern) return undefined;
  // Unlike `test`, it begins at the start, whatever the flags.
  return (value) => typeof value === 'string' && value.search(pattern) >= 0;
}

/** A record with given keys has to have all of them. */
function passesRecord({ keyType, valueType }: Definition): Passes | undefined {
  if (keyType?._zod.values) return undefined;
  const [isKey, isValue] = [keyType && passesOf(keyType), valueType && passesOf(valueType)];
  if (!isKey || !isValue) return undefined;
  const isMember = ([key, value]: [string, unknown]) => key !== '__proto__' && isKey(key) && isValue(value);
  return (value) => isJsonObject(value) && Object.entries(value).every(isMember);
}

/** Kinds of values of which none is of another. */
const kinds = ['string', 'number', 'boolean', 'array', 'object'];

/** The first form that fits is what zod reads: where several may fit, it is asked. */
function passesUnion({ options = [] }: Definition): Passes | undefined {
  const types = options.map(({ _zod: { def } }) => ((def as Definition).coerce ? 'any' : def.type));
  if (new Set(types).size < types.length || !types.every((type) => kinds.includes(type))) return undefined;
  const forms = options.flatMap((option) => passesOf(option) ?? []);
  return (value) => forms.some((passes) => passes(value));
}

const isOfLength = ({ _zod: { def } }: DefinedCheck): boolean =>
  def.check === 'min_length' || def.check === 'max_length';

/** Of a value that has the right type. */
function passesCheck({ _zod: { def } }: DefinedCheck): Passes | undefined {
  const { check, minimum = 0, maximum = 0, value: bound = 0, inclusive, fn, when } = def;
  switch (check) {
    case 'min_length':
      // zod counts the characters of a text, some of which have a length of two. Few lists need more than one item.
      return (value) => (value as string).length >= 2 * minimum - 1;
    case 'max_length':
      return (value) => (value as string).length <= maximum;
    case 'greater_than':
      return (value) => Number(value) > bound || (inclusive === true && value === bound);
    case 'less_than':
      return (value) => Number(value) < bound || (inclusive === true && value === bound);
    case 'string_format':
      return passesFormat(def);
    case 'custom':
      return fn && when === undefined ? (value) => fn(value) === true : undefined;
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
