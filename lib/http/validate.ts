/**
 * Validation of what a caller sent, with messages that name the field and never repeat its value.
 */
import * as z from 'zod/mini';
import { GatewayError } from '../core/errors.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The value as the schema reads it; otherwise a 400 for the first thing that is wrong. */
export function validate<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): z.core.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const found = issue ? describe(issue, []) : { path: [], problem: 'is not valid' };
  const param = found.path.map((key) => String(key).slice(0, 64)).join('.');
  const message = param === '' ? `The body ${found.problem}.` : `'${param}' ${found.problem}.`;
  throw new GatewayError('invalid_request', message, param === '' ? {} : { param });
}

interface Description {
  readonly path: Path;
  readonly problem: string;
}

function describe(issue: Issue, above: Path): Description {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') return describeUnion(issue, path);
  if (issue.code === 'unrecognized_keys') {
    return { path: [...path, issue.keys[0] ?? ''], problem: 'is not a known field' };
  }
  return { path, problem: problemOf(issue) };
}

function problemOf(issue: Issue): string {
  // A schema's own message says more than we can; zod/mini's default says nothing.
  if (issue.message !== 'Invalid input') return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${withArticle(issue.expected)}`;
    case 'invalid_value':
      return `must be ${listed(issue.values)}`;
    case 'too_big':
      return `must ${limited(issue.origin, 'at most', issue.maximum)}`;
    case 'too_small':
      return `must ${limited(issue.origin, 'at least', issue.minimum)}`;
    case 'invalid_key':
      return `has a name that ${issue.issues[0] ? problemOf(issue.issues[0]) : 'is not valid'}`;
    default:
      return 'is not valid';
  }
}

/** The branch that got furthest tells most; where none got anywhere, the value has none of the types. */
function describeUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path): Description {
  if ('options' in issue && Array.isArray(issue.options)) {
    return { path, problem: `must be ${listed(issue.options)}` };
  }
  const deeper = issue.errors.map((branch) => branch[0]).find((first) => first && first.path.length > 0);
  if (deeper) return describe(deeper, path);
  const types = issue.errors.map((branch) => branch[0]).filter((first) => first !== undefined);
  const problems = types.map((first) => problemOf(first).replace(/^must be /, ''));
  return { path, problem: `must be ${[...new Set(problems)].join(' or ')}` };
}

function withArticle(type: string): string {
  const name = { int: 'integer', record: 'object' }[type] ?? type;
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

function listed(values: readonly unknown[]): string {
  const shown = values.map((value) => `'${String(value)}'`);
  return shown.length > 1 ? `one of ${shown.join(', ')}` : `${shown[0]}`;
}

function limited(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${bound} ${limit} characters`;
  if (origin === 'array') return `have ${bound} ${limit} ${limit === 1 ? 'element' : 'elements'}`;
  if (origin === 'object' || origin === 'record') return `have ${bound} ${limit} entries`;
  return `be ${bound} ${limit}`;
}
