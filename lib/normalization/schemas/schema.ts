/**
 * Edits the keywords of a JSON Schema that a protocol does not accept, by a list of edits (`schema-dialects.ts`).
 *
 * Properties that are named like keywords are not edited, and neither is anything inside `enum`, `const`, `default` or
 * `examples`.
 */
import { GatewayError } from '../../core/errors/errors.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { summarize } from '../conversation/summarize.ts';
import type { Change, SchemaDialect, SchemaEdit, SchemaNode } from '../rule.ts';

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const single = new Set([
  ...['items', 'additionalItems', 'contains', 'not', 'if', 'then', 'else'],
  ...['additionalProperties', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties'],
]);
const listed = new Set(['items', 'anyOf', 'oneOf', 'allOf', 'prefixItems']);
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** No provider compiles schemas that are nested deeper. */
const maxSchemaDepth = 200;

export interface Adapted {
  readonly schema: JsonObject;
  readonly changes: readonly Change[];
}

/**
 * The schema as the dialect accepts it; the same object if nothing changes.
 *
 * @throws GatewayError `invalid_request` for a schema that is nested too deep for every provider.
 */
export function adaptSchema(root: JsonObject, dialect: SchemaDialect, path: string): Adapted {
  const changes: Change[] = [];
  const adapt = (schema: JsonObject, at: string, depth: number): JsonObject => {
    if (depth > maxSchemaDepth) throw tooDeep(path);
    const edited = editNode({ schema, root }, dialect.edits, at, changes);
    return mapSchemas(edited.schema, (inner, keyword, rest) => {
      const name = edited.names.get(keyword) ?? keyword;
      return adapt(inner, [at, name, ...rest].join('.'), depth + 1);
    });
  };
  const schema = adapt(root, path, 0);
  return { schema, changes };
}

/** Whether `holds` is true for any node of the schema. Looks no deeper than `adaptSchema`. */
export function someNode(root: JsonObject, holds: (node: SchemaNode) => boolean): boolean {
  let found = false;
  const visit = (schema: JsonObject, depth: number): JsonObject => {
    found ||= holds({ schema, root });
    return found || depth > maxSchemaDepth ? schema : mapSchemas(schema, (inner) => visit(inner, depth + 1));
  };
  visit(root, 0);
  return found;
}

function editNode(node: SchemaNode, edits: readonly SchemaEdit[], at: string, changes: Change[]) {
  const names = new Map<string, string>();
  let { schema } = node;
  for (const edit of edits) {
    const { keyword, renamed = keyword, reason } = edit;
    if (!(edit.applies?.({ ...node, schema }) ?? Object.hasOwn(schema, keyword))) continue;
    const before = schema[keyword];
    const after = edit.value || edit.renamed ? (edit.value?.(schema) ?? before) : undefined;
    if (renamed !== keyword) names.set(renamed, keyword);
    schema = replaced(schema, keyword, renamed, after);
    const record = edit.renamed && !edit.value ? { before: keyword, after: renamed } : { before, after };
    changes.push({
      param: `${at}.${keyword}`,
      action: actionOf(before, after),
      before: summarize(record.before),
      after: summarize(record.after),
      reason,
    });
  }
  return { schema, names };
}

function actionOf(before: unknown, after: unknown): Change['action'] {
  if (after === undefined) return 'strip';
  return before === undefined ? 'add' : 'override';
}

/** With the keyword's new value at its old position, or without the keyword. */
function replaced(schema: JsonObject, keyword: string, renamed: string, value: unknown): JsonObject {
  if (!Object.hasOwn(schema, keyword)) return { ...schema, [renamed]: value };
  const fields = Object.entries(schema).flatMap(([name, old]) => {
    if (name !== keyword) return [[name, old]];
    return value === undefined ? [] : [[renamed, value]];
  });
  return Object.fromEntries(fields);
}

type MapSchema = (schema: JsonObject, keyword: string, rest: readonly (string | number)[]) => JsonObject;

/** The schema with every schema directly inside it mapped; the same object where none changes. */
function mapSchemas(schema: JsonObject, map: MapSchema): JsonObject {
  let changed = false;
  const fields = Object.entries(schema).map(([keyword, value]) => {
    const mapped = mapKeyword(keyword, value, map);
    changed ||= mapped !== value;
    return [keyword, mapped];
  });
  return changed ? Object.fromEntries(fields) : schema;
}

function mapKeyword(keyword: string, value: unknown, map: MapSchema): unknown {
  if (Array.isArray(value)) {
    if (!listed.has(keyword)) return value;
    const items = value.map((item, index) => (isJsonObject(item) ? map(item, keyword, [index]) : item));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  if (single.has(keyword)) return map(value, keyword, []);
  if (!named.has(keyword)) return value;
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, isJsonObject(inner) ? map(inner, keyword, [name]) : inner] as const,
  );
  return entries.some(([name, inner]) => inner !== value[name]) ? Object.fromEntries(entries) : value;
}

function tooDeep(param: string): GatewayError {
  return new GatewayError('invalid_request', `The schema is nested deeper than ${maxSchemaDepth} levels.`, {
    param,
  });
}
