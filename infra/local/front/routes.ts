/** Finds the operation of a method and a path by the templates of the route table, as API Gateway does. */
import type { Operation } from '../../../lib/core/operations.ts';

export interface Route {
  readonly operation: Operation;
  /** Null if the path has none, as in API Gateway's events. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

/** Undefined for an unknown path. */
export type FindRoute = (method: string | undefined, path: string) => Route | undefined;

/** One segment of a template: a fixed text, or a parameter; a greedy one takes all segments that follow. */
type Segment = { readonly text: string } | { readonly parameter: string; readonly isGreedy: boolean };

interface Template {
  readonly operation: Operation;
  readonly segments: readonly Segment[];
}

/** A method that the path does not support goes to the path's first operation, which answers 405. */
export function createFindRoute(operations: readonly Operation[]): FindRoute {
  const templates = operations.map((operation) => ({ operation, segments: readTemplate(operation.path) }));
  return (method, path) => {
    const segments = path.split('/');
    const found = templates.flatMap((template) => match(template, segments) ?? []);
    return found.find(({ operation }) => operation.method === method) ?? found[0];
  };
}

function readTemplate(path: string): readonly Segment[] {
  return path.split('/').map((text) => {
    const [, parameter, plus] = /^\{(\w+)(\+?)\}$/.exec(text) ?? [];
    return parameter === undefined ? { text } : { parameter, isGreedy: plus === '+' };
  });
}

function match({ operation, segments }: Template, path: readonly string[]): Route | undefined {
  const last = segments.at(-1);
  const isGreedy = last !== undefined && 'parameter' in last && last.isGreedy;
  if (isGreedy ? path.length < segments.length : path.length !== segments.length) return undefined;
  const parameters: [string, string][] = [];
  for (const [index, segment] of segments.entries()) {
    const rest = isGreedy && segment === last;
    const given = (rest ? path.slice(index).join('/') : path[index]) ?? '';
    if ('text' in segment ? segment.text !== given : given === '') return undefined;
    if ('parameter' in segment) parameters.push([segment.parameter, decode(given)]);
  }
  return { operation, pathParameters: parameters.length === 0 ? null : Object.fromEntries(parameters) };
}

/** Invalid percent-encoding is left unchanged. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
