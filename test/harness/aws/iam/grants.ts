/** Which grants of roles were used by calls, and which were not. A grant is one action on one resource. */
import type { AccessRequest } from '../service.ts';
import { applies } from './evaluate.ts';
import type { DeployedFunction } from './roles.ts';

export interface Grant {
  /** That of the function. */
  readonly function: string;
  readonly action: string;
  readonly resource: string;
}

/** Those that no call needed. */
export function unusedGrants(
  functions: readonly DeployedFunction[],
  calls: ReadonlyMap<string, readonly AccessRequest[]>,
): readonly Grant[] {
  return functions.flatMap(({ name, statements }) => {
    const made = calls.get(name) ?? [];
    return statements.flatMap((statement) =>
      statement.actions.flatMap((action) =>
        statement.resources
          .filter((resource) => {
            const one = { ...statement, actions: [action], resources: [resource] };
            return !made.some((access) => applies(one, access));
          })
          .map((resource) => ({ function: name, action, resource })),
      ),
    );
  });
}
