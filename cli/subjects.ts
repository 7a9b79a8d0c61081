/**
 * The operations of tenants and keys, as the dashboard has them: on the tables of an installation, by the user of the command line; or
 * over HTTP, by the user who is signed in.
 */

import { listKeys, retrieveKey } from '../lib/admin/keys/read-key.ts';
import { changeKey, createKey, disableKey, rotateKey } from '../lib/admin/keys/write-key.ts';
import type { SubjectParts } from '../lib/admin/subject-parts.ts';
import { giveCredit } from '../lib/admin/tenants/add-credit.ts';
import { addAdjustment } from '../lib/admin/tenants/adjustments.ts';
import { changePricing } from '../lib/admin/tenants/change-pricing.ts';
import { listTenants, retrieveTenant } from '../lib/admin/tenants/read-tenant.ts';
import { changeTenant, createTenant } from '../lib/admin/tenants/write-tenant.ts';
import type { AdminOperationName } from '../lib/core/admin/admin-operations.ts';
import type { User } from '../lib/core/admin/user.ts';
import { GatewayError } from '../lib/core/errors/errors.ts';
import { operatorName } from '../local/operator-name.ts';
import { type CommandContext, type Installation, UsageError, withInstallation } from './command.ts';
import type { CallAdmin } from './url/send-admin.ts';

type Operation<Input, Answer> = (parts: SubjectParts, user: User, input: Input) => Promise<Answer>;

/** Under which name each of them is called over HTTP. */
const names: ReadonlyMap<unknown, AdminOperationName> = new Map<unknown, AdminOperationName>([
  [listKeys, 'admin-keys-list'],
  [retrieveKey, 'admin-keys-retrieve'],
  [createKey, 'admin-keys-create'],
  [changeKey, 'admin-keys-change'],
  [rotateKey, 'admin-keys-rotate'],
  [disableKey, 'admin-keys-disable'],
  [listTenants, 'admin-tenants-list'],
  [retrieveTenant, 'admin-tenants-retrieve'],
  [createTenant, 'admin-tenants-create'],
  [changeTenant, 'admin-tenants-change'],
  [giveCredit, 'admin-credit-add'],
  [addAdjustment, 'admin-adjustments-add'],
  [changePricing, 'admin-pricing-change'],
]);

/** Calls an operation. What is not found is explained as the command line does. */
export type CallSubject = <Input, Answer>(
  operation: Operation<Input, Answer>,
  input: Input,
) => Promise<Answer>;

type Context = Pick<CommandContext, 'open'> & { readonly options?: CommandContext['options'] };

/** Opens the installation for the calls, and closes it. */
export const withSubjects = <Result>(
  { options = {}, ...context }: Context,
  use: (call: CallSubject, installation: Installation) => Promise<Result>,
): Promise<Result> =>
  withInstallation(context, (installation) => {
    const { remote } = installation;
    if (remote)
      return use((operation, input) => callRemote(remote, operation, input).catch(explain), installation);
    const name = operatorName(options);
    const user: User = { id: name, name, role: 'operator', via: 'command' };
    // What a webhook's URL may be is checked before, and its address with each alert.
    const parts = { ...installation, now: Date.now, webhookProblem: async () => undefined };
    return use((operation, input) => operation(parts, user, input).catch(explain), installation);
  });

async function callRemote(remote: CallAdmin, operation: unknown, input: unknown) {
  const name = names.get(operation);
  if (name === undefined) throw new RangeError('This operation has no name.');
  return await remote(name, Object(input));
}

/** Calls one operation. */
export const callSubject = <Input, Answer>(
  context: Context,
  operation: Operation<Input, Answer>,
  input: Input,
): Promise<Answer> => withSubjects(context, (call) => call(operation, input));

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

/** Every row of a list, page by page. */
export async function listAll<Row>(
  read: (
    after: string | undefined,
  ) => Promise<{ readonly data: readonly Row[]; readonly next_after: string | null }>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let after: string | undefined;
  do {
    const page = await read(after);
    rows.push(...page.data);
    after = page.next_after ?? undefined;
  } while (after !== undefined);
  return rows;
}
