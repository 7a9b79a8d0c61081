/**
 * What passes a schema of zod as it is, by tests that are made of the schema's definition. Running zod would come to the same, with a
 * copy, and in several times the time.
 */
import type * as z from 'zod/mini';
import { isJsonObject } from './json-object.ts';

/** Whether a value passes a schema as it is. It may be false for one that would pass. */
export type Passes = (value: unknown) => boolean;

/** Of the objects of `given-fields.ts`. */
export const objectPasses = new WeakMap<z.core.$ZodType, Passes>();

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
export function passesOf(schema: z.core.$ZodType): Passes | undefined {
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
      return objectPasses.get(schema);
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
