/** Checks the gateway's answers against OpenAI's public schema, which is stored outside the project and may be absent. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

const path = join(import.meta.dirname, '../../../shared/data/openai-openapi-subset.json');

export const hasOpenAiSchema = existsSync(path);

type Check = (value: unknown) => readonly string[];

const checks = new Map<string, Check>();

/** A check against one schema of the document: the list of what is wrong. */
export function openAiSchema(name: string): Check {
  const check = checks.get(name) ?? compile(name);
  checks.set(name, check);
  return check;
}

function compile(name: string): Check {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(withNulls(JSON.parse(readFileSync(path, 'utf8'), withoutNullable)), 'openai');
  const validate = ajv.getSchema(`openai#/components/schemas/${name}`);
  if (!validate) throw new Error(`The document has no schema ${name}.`);
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

interface OpenAiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** OpenAI's own answers have null for both (every recorded one), which its schema does not say. */
function withNulls(document: OpenAiDocument): OpenAiDocument {
  const { ResponseUsage: usage, ...schemas } = document.components.schemas;
  const text = JSON.stringify(schemas).replaceAll(
    '"user":{"type":"string"',
    '"user":{"type":["string","null"]',
  );
  const nullable = { anyOf: [usage, { type: 'null' }] };
  return { ...document, components: { schemas: { ...JSON.parse(text), ResponseUsage: nullable } } };
}

/** `nullable` is OpenAPI's older way of writing what JSON Schema says with a type. */
function withoutNullable(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('nullable' in value)) return value;
  const { nullable, ...schema } = value;
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}
