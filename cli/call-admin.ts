/**
 * Calls an operation of the dashboard's API: over HTTP for a gateway that is given by its address, and otherwise the same function here,
 * on the tables, for the user of the command line.
 */
import type { AdminOperationName } from '../lib/core/admin/admin-operations.ts';
import type { User } from '../lib/core/admin/user.ts';
import { operatorName } from '../local/operator-name.ts';
import type { CommandContext, Installation } from './command.ts';

/** An operation by its name, and the function that does it on the tables. */
interface CalledOperation<Input extends object, Answer> {
  readonly name: AdminOperationName;
  readonly local: (installation: Installation, input: Input, user: User) => Promise<Answer>;
}

export const operation = <Input extends object, Answer>(
  name: AdminOperationName,
  local: CalledOperation<Input, Answer>['local'],
): CalledOperation<Input, Answer> => ({ name, local });

/** Rejects with GatewayError for what is refused, in both ways. `options`: who does it on the tables. */
export const callAdmin = async <Input extends object, Answer>(
  installation: Installation,
  { name, local }: CalledOperation<Input, Answer>,
  input: Input,
  options: CommandContext['options'] = {},
): Promise<Answer> =>
  installation.remote
    ? await installation.remote(name, input)
    : await local(installation, input, commander(options));

/** Who uses the command line. */
function commander(options: CommandContext['options']): User {
  const name = operatorName(options);
  return { id: name, name, role: 'operator', via: 'command' };
}
