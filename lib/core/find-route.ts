/** Finds the operation of a method and a path by the templates of the route table, as API Gateway does. */
import { closestName } from './names/closest-name.ts';
import { type RoutedOperation, routesOf } from './routes.ts';

export interface Route<Operation extends RoutedOperation = RoutedOperation> {
  readonly operation: Operation;
  /** The template that the path fits. An operation may have several. */
  readonly template: string;
  /** By their names, decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** Undefined for an unknown path. */
export type FindRoute = (method: string | undefined, path: string) => Route | undefined;

/** One segment of a template: a fixed text, or a parameter; a greedy one takes all segments that follow. */
type Segment = { readonly text: string } | { readonly parameter: string; readonly isGreedy: boolean };

interface Template {
  readonly operation: RoutedOperation;
  readonly path: string;
  readonly segments: readonly Segment[];
}

/**
 * A method that the path does not support goes to the path's first operation, which answers 405. Slashes that are doubled or at
 * the end do not count: base URLs and paths are often joined with one too many.
 */
export function createFindRoute(operations: readonly RoutedOperation[]): FindRoute {
  const templates = operations.flatMap((operation) =>
    routesOf(operation).map((path) => ({ operation, path, segments: readTemplate(path) })),
  );
  const find: FindRoute = (method, path) => {
    const segments = segmentsOf(path);
    const found = templates.flatMap((template) => match(template, segments) ?? []);
    return found.find(({ operation }) => operation.method === method) ?? found[0];
  };
  // What the paths without parameters lead to, as written, is known before.
  const known = new Map(
    operations.flatMap((operation) =>
      routesOf(operation)
        .filter((path) => !path.includes('{'))
        .map((path) => [`${operation.method} ${path}`, find(operation.method, path)]),
    ),
  );
  return (method, path) => known.get(`${method} ${path}`) ?? find(method, path);
}

/** The path that an unknown one was meant to be: with something before it, or with a mistyped name. */
export function meantPath(operations: readonly RoutedOperation[], path: string): string | undefined {
  const paths = operations.map((operation) => operation.path);
  const plain = `/${segmentsOf(path).join('/')}`;
  return paths.find((known) => plain.endsWith(known)) ?? closestName(plain, paths);
}

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((text) => text !== '');

function readTemplate(path: string): readonly Segment[] {
  return segmentsOf(path).map((text) => {
    const [, parameter, plus] = /^\{(\w+)(\+?)\}$/.exec(text) ?? [];
    return parameter === undefined ? { text } : { parameter, isGreedy: plus === '+' };
  });
}

function match(
  { operation, path: template, segments }: Template,
  path: readonly string[],
): Route | undefined {
  const last = segments.at(-1);
  const isGreedy = last !== undefined && 'parameter' in last && last.isGreedy;
  if (isGreedy ? path.length < segments.length : path.length !== segments.length) return undefined;
  const parameters: [string, string][] = [];
  for (const [index, segment] of segments.entries()) {
    const rest = isGreedy && segment === last;
    const given = (rest ? path.slice(index).join('/') : path[index]) ?? '';
    if ('text' in segment && segment.text !== given) return undefined;
    if ('parameter' in segment) parameters.push([segment.parameter, decode(given)]);
  }
  return { operation, template, pathParameters: Object.fromEntries(parameters) };
}

/** Invalid percent-encoding is left unchanged. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
