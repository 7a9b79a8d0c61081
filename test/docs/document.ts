/** Checks values against the schemas of the OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../build/openapi/json-schema.ts';
import { openapiDocument } from '../../build/openapi/openapi.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly parameters: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, object>>;
  };
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly schema?: JsonSchema }[];
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, object>>;
}

export const document: Document = JSON.parse(JSON.stringify(openapiDocument()));

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
// The document allows further fields in answers. Here every field must be documented.
ajv.addSchema(JSON.parse(JSON.stringify(document), closed), 'gateway');

function closed(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('properties' in value)) return value;
  return { additionalProperties: false, ...value };
}

/** What is wrong with a value by one schema of the document; empty for nothing. */
export function problems(name: string, value: unknown): readonly string[] {
  const validate = ajv.getSchema(`gateway#/components/schemas/${name}`);
  if (!validate) throw new Error(`The document has no schema ${name}.`);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, params.additionalProperty].filter(Boolean).join(' '),
  );
}

/** Every schema inside of one, with its path. */
export function* schemasIn(schema: JsonSchema, path: string): Generator<readonly [string, JsonSchema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* schemasIn(field, `${path}.${name}`);
  if (schema.items) yield* schemasIn(schema.items, `${path}[]`);
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* schemasIn(one, path);
}
