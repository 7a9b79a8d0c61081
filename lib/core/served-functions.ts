/** The functions of AWS that serve the operations: one for each, or for all of a group, and how API Gateway reaches them. */
import {
  type FunctionName,
  functionNameOf,
  functionNames,
  type Operation,
  operations,
} from './operations.ts';
import { routesOf } from './routes.ts';

export interface ServedFunction {
  readonly name: FunctionName;
  /** At least one. */
  readonly operations: readonly Operation[];
  /** Of the operation; `ANY` for a group, which finds the operation itself. */
  readonly method: string;
  /** Templates of API Gateway. */
  readonly paths: readonly string[];
  /** That of the longest request. */
  readonly timeoutSeconds: number;
}

/** Those whose methods and paths are one by one would take too much of the 500 resources that a stack may have. */
export const servedFunctions: readonly ServedFunction[] = functionNames.map((name) => {
  const served = operations.filter((operation) => functionNameOf(operation) === name);
  const [first] = served;
  const isGroup = first?.function !== undefined;
  // A few paths of one method are named to API Gateway.
  const isGreedy = new Set(served.map(({ method }) => method)).size > 1;
  return {
    name,
    operations: served,
    method: isGroup || !first ? 'ANY' : first.method,
    paths: isGroup && isGreedy ? greedyPaths(served) : served.flatMap(routesOf),
    timeoutSeconds: Math.max(...served.map(({ timeoutSeconds }) => timeoutSeconds)),
  };
});

/** The paths without parameters, and all below them. */
function greedyPaths(served: readonly Operation[]): readonly string[] {
  const bases = new Set(served.map(({ path }) => path).filter((path) => !path.includes('{')));
  return [...bases].flatMap((path) => [path, `${path}/{proxy+}`]);
}
