/**
 * Checks an answer against the caller's JSON Schema.
 *
 * Bounded: patterns and formats are not run, because a pattern and a text together can take hours, and uniqueness is not
 * compared. References are counted, because nested ones multiply.
 */
import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import type { JsonObject } from '../../core/generation/request.ts';
import type { SchemaDialect } from '../../normalization/rule.ts';
import { adaptSchema } from '../../normalization/schemas/schema.ts';

/** What is wrong with an answer, in a few sentences; empty: it fits. Undefined: it cannot be checked. */
export type Problems = readonly string[] | undefined;

/** The product of the lengths of schema and answer, in characters. */
const maxWork = 1e9;

/** How often references are followed, times the length of the schema. */
const maxReferenceWork = 1e8;

/** In a longer answer, only the first problem is looked for. */
const longAnswer = 100_000;

const maxProblems = 5;
const maxProblemLength = 200;

/** Errors that only say that there is another one further in. */
const outerKeywords = new Set(['properties', 'items', 'prefixItems', '$ref', 'allOf', 'anyOf', 'oneOf']);

const reason = 'This keyword is not checked.';
const unchecked = ['pattern', 'patternProperties', 'format', 'uniqueItems', '$id', 'id', '$recursiveRef'];

const checkable: SchemaDialect = {
  edits: [
    {
      keyword: 'additionalProperties',
      reason,
      applies: ({ schema }) => Object.hasOwn(schema, 'patternProperties'),
    },
    ...unchecked.map((keyword) => ({ keyword, reason })),
  ],
};

export function checkJson(text: string, schema: JsonObject): Problems {
  const size = JSON.stringify(schema).length;
  if (size * text.length > maxWork) return undefined;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return ['The answer is not JSON.'];
  }
  try {
    // A copy: the library notes on each schema where it is.
    const checked: Schema = structuredClone(adaptSchema(schema, checkable, 'schema').schema);
    const lookup = counted(dereference(checked), maxReferenceWork / size);
    const stopAtFirst = text.length > longAnswer;
    const { valid, errors } = validate(answer, checked, '2020-12', lookup, stopAtFirst);
    return valid ? [] : describe(errors);
  } catch {
    // The schema refers to itself without end, to what does not exist, or too often.
    return undefined;
  }
}

/** Fails when schemas have been looked up too often. */
function counted<Lookup extends Record<string, unknown>>(lookup: Lookup, max: number): Lookup {
  let count = 0;
  return new Proxy(lookup, {
    get(schemas, address) {
      count += 1;
      if (count > max) throw new RangeError('The schema has too many references.');
      return Reflect.get(schemas, address);
    },
  });
}

function describe(errors: readonly OutputUnit[]): readonly string[] {
  const inner = errors.filter(({ keyword }) => !outerKeywords.has(keyword));
  const told = (inner.length > 0 ? inner : errors).slice(0, maxProblems);
  return told.map(({ instanceLocation, error }) =>
    `${instanceLocation.replace(/^#\/?/, '/')}: ${error}`.slice(0, maxProblemLength),
  );
}
