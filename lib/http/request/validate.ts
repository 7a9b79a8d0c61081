/**
 * Validates what a caller sent. The error names the first wrong parameter and what is expected of it; `problem.ts` words
 * it. Values are never repeated.
 */
import type * as z from 'zod/mini';
import { GatewayError } from '../../core/errors/errors.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { knownKeysOf, noMessage } from '../../core/formats/parse-schema.ts';
import { parameterName } from '../parameter-name.ts';
import { anyOf, boundary, describeType, expectation, oneOf, unknownParameter } from '../problem.ts';
import { InvalidInput, parseInput } from './parse-input.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

interface Problem {
  readonly path: Path;
  readonly message: string;
}

const wrongRequest: Problem = { path: [], message: 'The request must be a JSON object.' };

/** The value as the schema reads it. Throws GatewayError `invalid_request` for the first problem. */
export function validate<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): z.core.output<Schema> {
  try {
    return parseInput(schema, value);
  } catch (error) {
    throw error instanceof InvalidInput ? explained(error) : error;
  }
}

/** The error that a caller gets. */
export function explained({ issue, value }: InvalidInput): GatewayError {
  const { path, message } = issue ? explain(issue, [], value) : wrongRequest;
  return new GatewayError(
    'invalid_request',
    message,
    path.length === 0 ? {} : { param: parameterName(path) },
  );
}

function explain(issue: Issue, above: Path, request: unknown): Problem {
  const path = [...above, ...issue.path];
  const name = parameterName(path);
  if (issue.code === 'unrecognized_keys') {
    return unknownParameter(path, issue.keys[0] ?? '', knownKeysOf(issue));
  }
  if (path.length === 0 && issue.code === 'invalid_type') return wrongRequest;
  // A schema's own message is the most exact one.
  if (issue.message !== noMessage) return { path, message: `'${name}' ${issue.message}.` };
  const value = valueAt(request, path);
  if (value === undefined) return { path, message: `Missing required parameter: '${name}'.` };
  switch (issue.code) {
    case 'invalid_union':
      return explainUnion(issue, path, request);
    case 'invalid_type':
    case 'invalid_value':
      return { path, message: mismatch(name, value, [issue]) };
    case 'too_big':
      return { path, message: `'${name}' must ${boundary(issue.origin, 'at most', issue.maximum)}.` };
    case 'too_small':
      return { path, message: `'${name}' must ${boundary(issue.origin, 'at least', issue.minimum)}.` };
    case 'invalid_key':
      return { path, message: `Invalid key in '${parameterName(path.slice(0, -1))}': ${keyProblem(issue)}.` };
    default:
      return { path, message: `Invalid value for '${name}'.` };
  }
}

/** The form of the union that the value matches best: deeper, then in its type; else what all forms expect. */
function explainUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path, request: unknown): Problem {
  if ('options' in issue && Array.isArray(issue.options)) {
    const found = valueAt(request, path);
    const expected = oneOf(issue.options);
    return { path, message: mismatchOf(parameterName(path), found, expected, typeof found === 'string') };
  }
  const forms = issue.errors.flatMap(([first]) => first ?? []);
  const isMismatch = ({ code }: Issue) => code === 'invalid_type' || code === 'invalid_value';
  const closest = forms.find((form) => form.path.length > 0) ?? forms.find((form) => !isMismatch(form));
  if (closest) return explain(closest, path, request);
  return { path, message: mismatch(parameterName(path), valueAt(request, path), forms) };
}

/** `forms` are the issues of type or value that each form of the parameter has with the value. */
function mismatch(name: string, value: unknown, forms: readonly Issue[]): string {
  const expected = anyOf([...new Set(forms.map(expectation))]);
  const hasRightType = forms.some(
    (form) => form.code === 'invalid_value' && form.values.some((known) => typeof known === typeof value),
  );
  return mismatchOf(name, value, expected, hasRightType);
}

function mismatchOf(name: string, value: unknown, expected: string, hasRightType: boolean): string {
  if (hasRightType) return `Invalid value for '${name}': expected ${expected}.`;
  return `Invalid type for '${name}': expected ${expected}, but got ${describeType(value, expected)} instead.`;
}

function keyProblem(issue: z.core.$ZodIssueInvalidKey): string {
  const [problem] = issue.issues;
  if (problem?.code !== 'too_big') return 'the key is not valid';
  return `a key must ${boundary(problem.origin, 'at most', problem.maximum)}`;
}

/** Undefined where nothing is: JSON itself has no such value. */
function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, key) => {
    if (Array.isArray(found)) return found[Number(key)];
    return isJsonObject(found) && Object.hasOwn(found, key) ? found[String(key)] : undefined;
  }, value);
}
