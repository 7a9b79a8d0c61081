/** Every field of a documented request that may hold a text, however deep. */
import type { JsonSchema } from '../../build/openapi/json-schema.ts';
import { document } from '../docs/document.ts';

type FieldPath = readonly (string | number)[];

/** Deeper fields repeat the ones above them. */
const maxDepth = 8;

const prefix = '#/components/schemas/';

/** The paths of all text fields of a schema of the document; a list has its text in its first item. */
export function textFields(schemaName: string): readonly FieldPath[] {
  const paths = new Map<string, FieldPath>();
  const add = (path: FieldPath) => void paths.set(path.join('.'), path);
  walk({ $ref: `${prefix}${schemaName}` }, [], add);
  return [...paths.values()];
}

function walk(schema: JsonSchema, path: FieldPath, add: (path: FieldPath) => void): void {
  if (path.length > maxDepth) return;
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [], additionalProperties } = schema;
  if ($ref !== undefined) {
    const target = document.components.schemas[$ref.slice(prefix.length)];
    if (target) walk(target, path, add);
    return;
  }
  const isText = [schema.type].flat().includes('string');
  if (isText || schema.const !== undefined || schema.enum !== undefined) add(path);
  for (const [name, field] of Object.entries(properties)) walk(field, [...path, name], add);
  if (items) walk(items, [...path, 0], add);
  if (typeof additionalProperties === 'object') walk(additionalProperties, [...path, 'any'], add);
  else if ([schema.type].flat().includes('object') && Object.keys(properties).length === 0)
    add([...path, 'any']);
  for (const one of [...anyOf, ...oneOf, ...allOf]) walk(one, path, add);
}

/** A copy of the value with another one at the path; what is in the way of the path is replaced. */
export function withField(value: unknown, [name, ...rest]: FieldPath, text: unknown): unknown {
  if (name === undefined) return text;
  if (typeof name === 'number') {
    const list = Array.isArray(value) ? value : [];
    return [withField(list[0], rest, text), ...list.slice(1)];
  }
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...object, [name]: withField((object as Record<string, unknown>)[name], rest, text) };
}
