/**
 * The JSON Schema that the strict modes of each protocol accept, as lists of edits. A schema that is not checked strictly
 * is only a hint to the model, and is sent unchanged.
 */
import { isJsonObject } from '../../core/formats/json-object.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { SchemaDialect, SchemaEdit, SchemaNode } from '../rule.ts';

const without = (reason: string, ...keywords: readonly string[]): readonly SchemaEdit[] =>
  keywords.map((keyword) => ({ keyword, reason }));

const has = (schema: JsonObject, ...keywords: readonly string[]): boolean =>
  keywords.some((keyword) => Object.hasOwn(schema, keyword));

function isOfObjects({ type, properties }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || isJsonObject(properties);
}

const closed: SchemaEdit = {
  keyword: 'additionalProperties',
  reason: 'Strict schemas require additionalProperties: false.',
  applies: ({ schema }) => isOfObjects(schema) && schema.additionalProperties !== false,
  value: () => false,
};

/** `oneOf` becomes `anyOf`, which the providers support. */
const anyOfForOneOf: readonly SchemaEdit[] = [
  {
    keyword: 'oneOf',
    reason: 'The provider supports one union per schema.',
    applies: ({ schema }) => has(schema, 'oneOf') && has(schema, 'anyOf'),
  },
  { keyword: 'oneOf', reason: 'The provider supports unions only as anyOf.', renamed: 'anyOf' },
];

const namesOf = ({ properties }: JsonObject): readonly string[] =>
  isJsonObject(properties) ? Object.keys(properties) : [];
const requiredOf = ({ required }: JsonObject): readonly unknown[] =>
  Array.isArray(required) ? required : [];

const everythingRequired: SchemaEdit = {
  keyword: 'required',
  reason: 'Strict schemas require every property.',
  applies: ({ schema }) => {
    const required = new Set(requiredOf(schema));
    return namesOf(schema).some((name) => !required.has(name));
  },
  value: (schema) => [...new Set([...requiredOf(schema), ...namesOf(schema)])],
};

const lookAround: SchemaEdit = {
  keyword: 'pattern',
  reason: 'The provider does not support lookaround in patterns.',
  applies: ({ schema }) => typeof schema.pattern === 'string' && /\(\?(?:[=!]|<[=!])/.test(schema.pattern),
};

/** The definition that a `$ref` points to; undefined for none, and for one outside of this schema. */
function referred({ schema, root }: SchemaNode): unknown {
  const { $ref } = schema;
  if (typeof $ref !== 'string' || !/^#(?:\/|$)/.test($ref)) return undefined;
  const steps = $ref.split('/').slice(1);
  return steps.reduce<unknown>((at, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
}

const localReferences: SchemaEdit = {
  keyword: '$ref',
  reason: 'The reference does not exist in this schema.',
  applies: (node) => has(node.schema, '$ref') && referred(node) === undefined,
};

const reachable = new WeakMap<object, ReadonlySet<unknown>>();

/** Everything in a schema, directly or through references. */
function reachableFrom(start: object, root: JsonObject): ReadonlySet<unknown> {
  const known = reachable.get(start);
  if (known) return known;
  const seen = new Set<unknown>();
  const open: unknown[] = [start];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isJsonObject(value)) open.push(referred({ schema: value, root }));
    for (const inner of Object.values(value)) open.push(inner);
  }
  reachable.set(start, seen);
  return seen;
}

/** Whether the referenced schema contains the reference itself. */
function isCyclic(node: SchemaNode): boolean {
  const start = referred(node);
  return isJsonObject(start) && reachableFrom(start, node.root).has(node.schema);
}

const noCycles: SchemaEdit = {
  keyword: '$ref',
  reason: 'The provider does not support recursive schemas.',
  applies: (node) => has(node.schema, '$ref') && isCyclic(node),
};

/** A map with arbitrary keys: closing it would leave no keys. */
const isOpenMap = ({ additionalProperties: others }: JsonObject): boolean =>
  others === true || isJsonObject(others);

const conditions = ['not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas'] as const;

/** OpenAI's strict functions and structured outputs. */
export const openaiStrict: SchemaDialect = {
  exceeds: ({ schema }) => isOpenMap(schema) || has(schema, 'allOf', 'patternProperties', ...conditions),
  edits: [
    localReferences,
    ...anyOfForOneOf,
    ...without('The provider does not support this keyword in strict schemas.', 'propertyNames', 'default'),
    lookAround,
    closed,
    everythingRequired,
  ],
};

const claudeEdits: readonly SchemaEdit[] = [
  localReferences,
  noCycles,
  ...anyOfForOneOf,
  ...without(
    'The provider does not support this keyword in strict schemas.',
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
    ...['minLength', 'maxLength', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains'],
    ...['minProperties', 'maxProperties', 'propertyNames', 'patternProperties', ...conditions],
    ...['unevaluatedItems', 'unevaluatedProperties'],
  ),
  {
    keyword: 'minItems',
    reason: 'The provider supports only 0 and 1 for minItems.',
    applies: ({ schema }) => has(schema, 'minItems') && schema.minItems !== 0 && schema.minItems !== 1,
  },
  lookAround,
  closed,
];

/** Claude's strict tools, in every protocol. */
export const claudeStrict: SchemaDialect = {
  exceeds: ({ schema }) => isOpenMap(schema) || has(schema, 'patternProperties', 'not', 'if'),
  edits: claudeEdits,
};

/** Claude's structured outputs: they are always strict, so the schema is edited in any case. */
export const claudeOutput: SchemaDialect = { edits: claudeEdits };

/** Gemini's structured outputs. */
export const geminiOutput: SchemaDialect = {
  edits: [
    localReferences,
    ...anyOfForOneOf,
    ...without(
      'The provider does not support this keyword.',
      ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern'],
      ...['uniqueItems', 'contains', 'minContains', 'maxContains', 'allOf', ...conditions],
      ...['minProperties', 'maxProperties', 'propertyNames', 'patternProperties'],
      ...['unevaluatedItems', 'unevaluatedProperties'],
    ),
    {
      keyword: 'enum',
      reason: 'The single allowed value makes this keyword redundant.',
      applies: ({ schema }) => has(schema, 'enum') && has(schema, 'const'),
    },
    {
      keyword: 'const',
      reason: 'The provider supports const only as an enum with one value.',
      renamed: 'enum',
      value: (schema) => [schema.const],
    },
    ...['title', 'description', 'default', 'examples'].map((keyword) => ({
      keyword,
      reason: 'The provider does not support keywords beside $ref.',
      applies: ({ schema }: SchemaNode) => has(schema, '$ref') && has(schema, keyword),
    })),
  ],
};
