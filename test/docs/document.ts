/** Checks values against the schemas of the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
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

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly schema?: JsonSchema }[];
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, object>>;
}

export const document: Document = JSON.parse(JSON.stringify(openapiDocument()));

/** What is wrong with a value by a schema of a document; empty for nothing. The document allows further fields in answers: here, each must be documented. */
export function validatorOf(whole: object): (schema: object, value: unknown) => readonly string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(JSON.parse(JSON.stringify(whole), closed), 'document');
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('#/components/', 'document#/components/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text, closed));
    compiled.set(text, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    );
  };
}

function closed(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('properties' in value)) return value;
  return { additionalProperties: false, ...value };
}

const validate = validatorOf(document);

/** The same by the name of a schema of the public document. */
export const problems = (name: string, value: unknown): readonly string[] =>
  validate({ $ref: `#/components/schemas/${name}` }, value);

/** Every schema inside of one, with its path. */
export function* schemasIn(schema: JsonSchema, path: string): Generator<readonly [string, JsonSchema]> {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* schemasIn(field, `${path}.${name}`);
  if (schema.items) yield* schemasIn(schema.items, `${path}[]`);
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* schemasIn(one, path);
}
