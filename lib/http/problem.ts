/** The words for what is wrong with a parameter. Values are never shown. */
import type * as z from 'zod/mini';
import { closestName } from '../core/names/closest-name.ts';
import { parameterName } from './parameter-name.ts';

type Path = readonly PropertyKey[];

/** Parameters of other APIs that look like a typing error of one of ours, but mean something else. */
const foreignParameters: ReadonlySet<string> = new Set(['top_a']);

export function unknownParameter(above: Path, key: string, known: readonly string[]) {
  const path = [...above, key];
  const closest = foreignParameters.has(key) ? undefined : closestName(key, known);
  const hint = closest === undefined ? '' : ` Did you mean '${parameterName([...above, closest])}'?`;
  return { path, message: `Unknown parameter: '${parameterName(path)}'.${hint}` };
}

/** What a schema expects, as a noun: "a string", "one of 'a', 'b'". */
export function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return oneOf(issue.values);
  return issue.code === 'invalid_type' ? withArticle(issue.expected) : 'another value';
}

export function oneOf(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  return shown.length > 1 ? `one of ${shown.join(', ')}` : `${shown[0]}`;
}

/** Several expectations as one. */
export function anyOf(expected: readonly string[]): string {
  return expected.join(expected.some((one) => one.startsWith('one of')) ? ', or ' : ' or ');
}

export function describeType(value: unknown, expected: string): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number' && expected.includes('integer')) return 'a decimal number';
  return withArticle(typeof value);
}

function withArticle(type: string): string {
  const name = { int: 'integer', record: 'object' }[type] ?? type;
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['element', 'elements'],
  object: ['entry', 'entries'],
  record: ['entry', 'entries'],
};

/** What follows "must": "be at most 2", "have at least 2 characters", "not be empty". */
export function boundary(origin: string, bound: 'at most' | 'at least', limit: number | bigint): string {
  const unit = units[origin];
  if (!unit) return `be ${bound} ${limit}`;
  if (bound === 'at least' && limit === 1) return 'not be empty';
  return `have ${bound} ${limit} ${limit === 1 ? unit[0] : unit[1]}`;
}
