/** Routes: what a row of either table of operations, that of the API or that of the dashboard, says of its path, and what follows from it. */
import type { TableName } from './tables.ts';

/** What a function may do with the tables. */
interface TableRights {
  readonly reads: readonly TableName[];
  /** The tables that it may put items into. */
  readonly writes?: readonly TableName[];
  /** Those whose items it may update. */
  readonly updates?: readonly TableName[];
  readonly queries?: readonly TableName[];
  /** Those whose items it may delete. */
  readonly deletes?: readonly TableName[];
}

/** What routing needs to know of an operation, and its function. */
export interface RoutedOperation extends TableRights {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** A segment may be a parameter, `{name}`, and the last may take all that follows, `{name+}`. Operations with different methods may share a path. */
  readonly path: string;
  /** True for an operation that a GET uses up or begins, so that HEAD, which previews of links send, is refused. */
  readonly onlyGet?: true;
  /** True for an operation whose path no client library makes, so that it is served with the version alone. */
  readonly onlyWithVersion?: true;
  /** True for an operation whose body is a form with a file, which may be larger than the memory for it: it is read as it comes. */
  readonly takesFile?: true;
  /** Of an operation whose body may be a form that is held in memory: its largest, in bytes, where no host has a lower limit. */
  readonly maxFormBytes?: number;
  /** A second path. */
  readonly alsoAt?: string;
  /** True for an operation of the dashboard that the session of an API key may call, too, at a path of its own. */
  readonly withKey?: true;
  /** The time limit of a request, in seconds (API Gateway and Lambda allow 900). */
  readonly timeoutSeconds: number;
}

/** Every method of a path, the first one's operation first. What can be asked for with GET can be with HEAD, unless its row says otherwise. */
export const methodsOf = (path: string, among: readonly RoutedOperation[]): readonly string[] =>
  among
    .filter((operation) => operation.path === path)
    .flatMap(({ method, onlyGet }) => (method === 'GET' && !onlyGet ? ['GET', 'HEAD'] : method));

/** The version of the API, with which all paths begin. */
const version = '/v1';

/** Whether pages of other origins may call an operation, if the operator lists them: those of the dashboard, never. */
export const isForOtherPages = ({ path }: Pick<RoutedOperation, 'path'>): boolean =>
  path.startsWith(`${version}/`);

const adminPrefix = '/admin/';

/** Where sessions of API keys call the operations of the dashboard. */
export const accountPrefix = '/account/';

/**
 * Where an operation is served: its path, and the same without the version, which base URLs often lack. What sessions of
 * API keys may call has two paths, and they call the second one alone.
 */
export function routesOf({
  path,
  withKey,
  alsoAt,
  onlyWithVersion,
}: Pick<RoutedOperation, 'path' | 'withKey' | 'alsoAt' | 'onlyWithVersion'>): readonly string[] {
  if (alsoAt) return [path, alsoAt];
  if (onlyWithVersion) return [path];
  if (path.startsWith(`${version}/`)) return [path, path.slice(version.length)];
  return withKey ? [path, path.replace(adminPrefix, accountPrefix)] : [path];
}
