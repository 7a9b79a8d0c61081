/** The operations of tenants and keys, as the dashboard has them: on the data of an installation, by the user of the command line. */
import type { HolderParts } from '../../lib/admin/holder-parts.ts';
import { GatewayError } from '../../lib/core/errors.ts';
import type { Person } from '../../lib/core/person.ts';
import { type CommandContext, type Installation, UsageError, withInstallation } from './command.ts';
import { operatorName } from './operator-name.ts';

type Operation<Input, Answer> = (parts: HolderParts, person: Person, input: Input) => Promise<Answer>;

/** Calls an operation. What is not found is explained as the command line does. */
export type CallHolder = <Input, Answer>(
  operation: Operation<Input, Answer>,
  input: Input,
) => Promise<Answer>;

type Context = Pick<CommandContext, 'open'> & { readonly options?: CommandContext['options'] };

/** Opens the installation for the calls, and closes it. */
export const withHolders = <Result>(
  { options = {}, ...context }: Context,
  use: (call: CallHolder, installation: Installation) => Promise<Result>,
): Promise<Result> =>
  withInstallation(context, (installation) => {
    const name = operatorName(options);
    const person: Person = { id: name, name, role: 'operator', via: 'command' };
    // What a webhook's URL may be is checked before, and its address with each alert.
    const parts = { ...installation, now: Date.now, webhookProblem: async () => undefined };
    return use((operation, input) => operation(parts, person, input).catch(explain), installation);
  });

/** Calls one operation. */
export const callHolder = <Input, Answer>(
  context: Context,
  operation: Operation<Input, Answer>,
  input: Input,
): Promise<Answer> => withHolders(context, (call) => call(operation, input));

function explain(error: unknown): never {
  if (!(error instanceof GatewayError) || error.kind !== 'not_found') throw error;
  const noun = error.param === 'key' ? 'keys' : 'tenants';
  throw new Error(`${error.message} List all ${noun} with: ${noun} list`);
}

/** What an operation rejects as invalid was typed by the user. */
export function asUsageError(error: unknown): never {
  if (error instanceof GatewayError && error.kind === 'invalid_request') throw new UsageError(error.message);
  throw error;
}
