/** Makes a small value that fits a JSON Schema: what a model would put into a call or a structured answer. */
import type { JsonObject } from '../lib/core/generation/request.ts';
import { isObject, listOf, numberOf, objectOf, objectsOf, textOf, textsOf } from './json.ts';

/** Deeper than this a schema only repeats itself. */
const deepest = 24;

/** A minimal instance: required properties only, the first of every choice. */
export function sampleOf(schema: JsonObject): unknown {
  return sample(schema, schema, 0);
}

/** The same for the arguments of a call, which are always an object. */
export function sampleArguments(schema: JsonObject): JsonObject {
  return objectOf(sampleOf({ type: 'object', ...schema }));
}

function sample(schema: JsonObject, root: JsonObject, depth: number): unknown {
  if (depth > deepest) return null;
  const [choice] = [...objectsOf(schema.anyOf), ...objectsOf(schema.oneOf)];
  if (typeof schema.$ref === 'string') return sample(resolve(schema.$ref, root), root, depth + 1);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (choice !== undefined) return sample({ ...schema, anyOf: [], oneOf: [], ...choice }, root, depth + 1);
  if (Array.isArray(schema.allOf)) return sample(mergeAll(schema, root), root, depth + 1);
  return sampleOfType(schema, root, depth);
}

function sampleOfType(schema: JsonObject, root: JsonObject, depth: number): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(schema, root, depth);
    case 'array':
      return sampleArray(schema, root, depth);
    case 'string':
      return sampleText(schema);
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function typeOf(schema: JsonObject): string {
  // Some protocols write types in capitals.
  const types = textsOf(schema.type).map((type) => type.toLowerCase());
  const type = types.find((one) => one !== 'null') ?? types[0];
  return type ?? ('properties' in schema ? 'object' : 'string');
}

function sampleObject(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  const properties = objectOf(schema.properties);
  const required = textsOf(schema.required).map((name) => {
    return [name, sample(objectOf(properties[name]), root, depth + 1)];
  });
  return Object.fromEntries(required);
}

function sampleArray(schema: JsonObject, root: JsonObject, depth: number): readonly unknown[] {
  const length = Math.min(numberOf(schema.minItems) ?? 0, 10);
  const item = Array.isArray(schema.items) ? schema.items[0] : schema.items;
  return Array.from({ length }, () => sample(objectOf(item), root, depth + 1));
}

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '12:00:00Z',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'sandbox@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function sampleText(schema: JsonObject): string {
  const text = formats[textOf(schema.format)] ?? 'sandbox';
  const longest = numberOf(schema.maxLength) ?? Number.POSITIVE_INFINITY;
  return text.padEnd(Math.min(numberOf(schema.minLength) ?? 0, 1_000), '.').slice(0, longest);
}

function sampleNumber(schema: JsonObject): number {
  const step = numberOf(schema.multipleOf) ?? 1;
  const above = numberOf(schema.exclusiveMinimum);
  const lowest = above === undefined ? numberOf(schema.minimum) : above + step;
  const highest = numberOf(schema.maximum) ?? Number.POSITIVE_INFINITY;
  if (lowest !== undefined) return Math.ceil(lowest / step) * step;
  return Math.min(step, highest);
}

function mergeAll(schema: JsonObject, root: JsonObject): JsonObject {
  const parts = objectsOf(schema.allOf).map((part) => {
    return typeof part.$ref === 'string' ? resolve(part.$ref, root) : part;
  });
  const all = [{ ...schema, allOf: undefined }, ...parts];
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map(({ properties }) => objectOf(properties))),
    required: all.flatMap(({ required }) => textsOf(required)),
  };
}

function resolve(reference: string, root: JsonObject): JsonObject {
  let found: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) ? found[name] : listOf(found)[Number(name)];
  }
  return objectOf(found);
}
