/**
 * JSON Schemas of what callers send, made from the zod schemas that check it, in the form that a reader of the
 * reference wants: fields that are never accepted are left out, and `null` is part of a type.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

export interface JsonSchema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly deprecated?: boolean;
}

/** The schema of a request body or of query parameters. */
export function requestSchema(schema: z.core.$ZodType): JsonSchema {
  return tidy(convert(schema));
}

function convert(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema._zod.def.type === 'undefined') jsonSchema.not = {};
      // The only values that are no JSON: files of a form.
      if (zodSchema._zod.def.type === 'custom')
        Object.assign(jsonSchema, { type: 'string', format: 'binary' });
      const forms = formsOf(zodSchema);
      if (forms.length > 0)
        jsonSchema.anyOf = forms.map((form) => convert(form) as z.core.JSONSchema.BaseSchema);
    },
  });
  return converted as JsonSchema;
}

/** The schemas that a `chosenVariant` chooses from. */
function formsOf(schema: object): readonly z.core.$ZodType[] {
  return 'forms' in schema && Array.isArray(schema.forms) ? schema.forms : [];
}

export type Components = Readonly<Record<string, JsonSchema>>;

/** The named schemas of answers. These may get more fields: clients must accept fields that they do not know. */
export function namedSchemas(
  schemas: readonly z.core.$ZodType[],
  options: Parameters<typeof z.toJSONSchema>[1] = {},
): Components {
  const { $defs = {} } = z.toJSONSchema(z.union(schemas), { io: 'output', ...options });
  const text = JSON.stringify($defs).replaceAll('#/$defs/', '#/components/schemas/');
  // zod repeats the name of a schema inside of it.
  const found: Components = JSON.parse(text, (key, value) =>
    key === 'id' && typeof value === 'string' ? undefined : withoutClosing(value),
  );
  return Object.fromEntries(Object.entries(found).map(([name, schema]) => [name, tidy(schema)]));
}

function withoutClosing(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('properties' in value)) return value;
  const { additionalProperties, ...schema } = value as JsonSchema;
  return additionalProperties === false ? schema : value;
}

interface ParameterObject {
  readonly name: string;
  readonly in: string;
}

/** The parameters of an operation in its path and its query. */
export const parameterObjects = (
  path: string,
  { properties = {}, required = [] }: JsonSchema,
): readonly ParameterObject[] =>
  Object.entries(properties).map(([name, { description, ...schema }]) => {
    const location = path.includes(`{${name}}`)
      ? { in: 'path', required: true }
      : { in: 'query', required: required.includes(name) };
    return { name, ...location, description, schema };
  });

/** What both documents begin with. `path`: of the local gateway. */
export function documentHead(title: string, description: string, path: string) {
  const { version, license }: { version: string; license: string } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
  );
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: license, identifier: license } },
    servers: [
      { url: '../v1', description: 'This gateway, relative to the address of this document' },
      { url: `http://127.0.0.1:8787${path}`, description: 'The local gateway (`npm start`)' },
    ],
  };
}

/** The same schema without parts that carry no information. */
function tidy(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf, additionalProperties, propertyNames, required, ...rest } = schema;
  const fields = Object.entries(properties ?? {})
    .map(([name, field]) => [name, tidy(field)] as const)
    .filter(([, field]) => isAccepted(field));
  const kept = required?.filter((name) => fields.some(([field]) => field === name));
  const tidied: JsonSchema = {
    ...withoutIntegerBounds(rest),
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(kept && kept.length > 0 && { required: kept }),
    ...(propertyNames?.maxLength !== undefined && { propertyNames }),
    ...(additionalProperties !== undefined && { additionalProperties: tidyOthers(additionalProperties) }),
    ...(items && { items: tidy(items) }),
  };
  if (oneOf) return { ...tidied, oneOf: oneOf.map(tidy) };
  return anyOf ? mergeAlternatives(tidied, anyOf.map(tidy)) : tidied;
}

/** `{}` accepts every value, as `true` does. */
function tidyOthers(others: boolean | JsonSchema): boolean | JsonSchema {
  if (typeof others === 'boolean') return others;
  return Object.keys(others).length === 0 || tidy(others);
}

/** False for a field that may only be left out or null. */
const isAccepted = ({ not, type }: JsonSchema): boolean => not === undefined && type !== 'null';

/** Without the bounds that zod gives every integer. */
function withoutIntegerBounds({ minimum, maximum, ...rest }: JsonSchema): JsonSchema {
  return {
    ...rest,
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

/** Alternatives inside alternatives become one list; a single one with null becomes a type with null. */
function mergeAlternatives(schema: JsonSchema, alternatives: readonly JsonSchema[]): JsonSchema {
  const flat = alternatives.flatMap((one) =>
    Object.keys(one).join() === 'anyOf' ? (one.anyOf ?? []) : [one],
  );
  const [only, ...others] = flat.filter(({ type }) => type !== 'null');
  if (!only || others.length > 0 || typeof only.type !== 'string') return { ...schema, anyOf: flat };
  if (flat.length === 1) return { ...schema, ...only };
  const { type, const: value, enum: values, ...rest } = only;
  const known = values ?? (value === undefined ? undefined : [value]);
  return { ...schema, ...rest, type: [type, 'null'], ...(known && { enum: [...known, null] }) };
}
