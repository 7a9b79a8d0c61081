/**
 * Checks an answer against the caller's JSON Schema.
 *
 * Bounded: patterns and formats are not run, because a pattern and a text together can take hours, and uniqueness is not
 * compared. The rest has a time limit, because alternatives and references multiply.
 */
import { dereference, type OutputUnit, type Schema, validate } from '@cfworker/json-schema';
import type { JsonObject } from '../../../core/generation/request.ts';
import type { SchemaDialect } from '../../../normalization/rule.ts';
import { adaptSchema } from '../../../normalization/schemas/schema.ts';

/** What is wrong with an answer, in a few sentences; empty: it fits. Undefined: it cannot be checked. */
export type Problems = readonly string[] | undefined;

/** The product of the lengths of schema and answer, in characters. */
const maxCheckWork = 1e9;

/** How long a check may take: many errors also take much memory. */
const maxCheckMs = 500;

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
  if (size * text.length > maxCheckWork) return undefined;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return ['The answer is not JSON.'];
  }
  try {
    // A copy: the library notes on each schema where it is.
    const checked: Schema = structuredClone(adaptSchema(schema, checkable, 'schema').schema);
    const lookup = bounded(dereference(checked));
    const stopAtFirst = text.length > longAnswer;
    const { valid, errors } = validate(answer, checked, '2020-12', lookup, stopAtFirst);
    return valid ? [] : describe(errors);
  } catch {
    // The schema refers to itself without end, to what does not exist, or takes too long.
    return undefined;
  }
}

/**
 * Without what is not checked in schemas at places of the caller's own, to which a reference leads. Fails when the check takes
 * too long: a schema is asked for this keyword whenever it is applied.
 */
function bounded<Lookup extends Record<string, Schema | boolean>>(lookup: Lookup): Lookup {
  const until = performance.now() + maxCheckMs;
  const get = () => {
    if (performance.now() > until) throw new RangeError('The check takes too long.');
  };
  for (const schema of Object.values(lookup)) {
    if (typeof schema !== 'object') continue;
    if (Object.hasOwn(schema, 'patternProperties')) delete schema.additionalProperties;
    for (const keyword of unchecked) delete schema[keyword];
    Object.defineProperty(schema, '$recursiveAnchor', { get });
  }
  return lookup;
}

function describe(errors: readonly OutputUnit[]): readonly string[] {
  const inner = errors.filter(({ keyword }) => !outerKeywords.has(keyword));
  const reported = (inner.length > 0 ? inner : errors).slice(0, maxProblems);
  return reported.map(({ instanceLocation, error }) =>
    `${instanceLocation.replace(/^#\/?/, '/')}: ${error}`.slice(0, maxProblemLength),
  );
}
