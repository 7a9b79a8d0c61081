/** Which operation a path and a method belong to, by the templates of the route table, as API Gateway finds them. */
import type { Operation } from '../../../lib/core/operations.ts';

export interface Route {
  readonly operation: Operation;
  /** Null where the path has none, as in API Gateway's events. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

/** A method that the path does not take goes to the path's first operation, which knows the answer to that. */
export function findRoute(
  operations: readonly Operation[],
  method: string | undefined,
  path: string,
): Route | undefined {
  const found = operations.flatMap((operation) => match(operation, path) ?? []);
  return found.find(({ operation }) => operation.method === method) ?? found[0];
}

function match(operation: Operation, path: string): Route | undefined {
  const template = operation.path.split('/');
  const segments = path.split('/');
  if (segments.length !== template.length) return undefined;
  const parameters: [string, string][] = [];
  for (const [index, segment] of segments.entries()) {
    const name = /^\{(\w+)\}$/.exec(template[index] ?? '')?.[1];
    if (name === undefined ? segment !== template[index] : segment === '') return undefined;
    if (name !== undefined) parameters.push([name, decode(segment)]);
  }
  return { operation, pathParameters: parameters.length === 0 ? null : Object.fromEntries(parameters) };
}

/** What is no valid encoding is taken as it stands. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
