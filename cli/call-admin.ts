/**
 * Calls operations of the dashboard's API: over HTTP for a gateway that is given by its address, and otherwise the same functions here, on
 * the tables, for the user of the command line. What was typed is checked by the schemas of the API first, in both ways.
 */
import { maxTenantPage } from '../lib/admin/tenants/schema.ts';
import { adminOperationNamed } from '../lib/core/admin/admin-operations.ts';
import type { User } from '../lib/core/admin/user.ts';
import { GatewayError } from '../lib/core/errors/errors.ts';
import { validate } from '../lib/http/request/validate.ts';
import { operatorName } from '../local/operator-name.ts';
import {
  type CommandContext,
  type CommandOption,
  type Installation,
  UsageError,
  withInstallation,
} from './command.ts';
import { inputs } from './on-tables/inputs.ts';
import { type OperationName, type Operations, onTables } from './on-tables/on-tables.ts';

export const byOption: Readonly<Record<'by', CommandOption>> = {
  by: { value: '<name>', description: 'Who does this (default: the user of this machine)' },
};

/** The input of an operation: path, query and body together. */
export type AdminInput<Name extends OperationName> = Parameters<Operations[Name]>[2];

type Answer<Name extends OperationName> = Awaited<ReturnType<Operations[Name]>>;

/** `ifMatch`: the tag of what is changed. Rejects with GatewayError for what is refused. */
export type CallAdmin = <Name extends OperationName>(
  name: Name,
  input: AdminInput<Name>,
  ifMatch?: string,
) => Promise<Answer<Name>>;

type Context = Pick<CommandContext, 'open'> & { readonly options?: CommandContext['options'] };

/** How the fields of an input are typed, where it is not as an option of the same name. */
type TypedAs = Readonly<Record<string, string>>;

type Work = (installation: Installation, user: User, input: never, ifMatch?: string) => Promise<unknown>;

/** Opens the installation for the calls, and closes it. */
export const withAdmin = <Result>(
  context: Context,
  use: (call: CallAdmin, installation: Installation) => Promise<Result>,
): Promise<Result> =>
  withInstallation(context, (installation) => {
    const by = operatorName(context.options ?? {});
    const user: User = { id: by, name: by, role: 'operator', via: 'command' };
    const call = async (name: OperationName, input: object, ifMatch?: string) => {
      if (installation.remote) return await installation.remote(name, input, ifMatch).catch(explain);
      const work: Work = onTables[name];
      return await work(installation, user, input as never, ifMatch).catch(explain);
    };
    return use(call as CallAdmin, installation);
  });

/** Calls one operation. Rejects with UsageError for what its schema does not take. */
export async function callAdmin<Name extends OperationName>(
  { typedAs = {}, ...context }: Context & { readonly typedAs?: TypedAs },
  name: Name,
  input: AdminInput<Name>,
): Promise<Answer<Name>> {
  checkInput(name, input, typedAs);
  return await withAdmin(context, (call) => call(name, input));
}

/** Throws UsageError for what the schema of the operation does not take. The path has the other fields. */
export function checkInput(name: OperationName, input: object, typedAs: TypedAs): void {
  const schema = inputs[name];
  if (!schema) return;
  const { path } = adminOperationNamed(name);
  const body = Object.entries(input).filter(([field]) => !path.includes(`{${field}`));
  try {
    validate(schema, Object.fromEntries(body));
  } catch (error) {
    if (!(error instanceof GatewayError) || !error.param) throw error;
    const steps = error.param.split(/[.[\]]/).filter((step) => step !== '');
    const field = steps.findLast((step) => !/^\d+$/.test(step)) ?? '';
    const typed = typedAs[field] ?? `--${field.replaceAll('_', '-')}`;
    // Of a list, the entry that is wrong.
    const list = Object.fromEntries(body)[field];
    const entry = Array.isArray(list) ? ` ${list[Number(steps.at(-1))] ?? ''}`.trimEnd() : '';
    throw new UsageError(error.message.replace(`'${error.param}'`, typed + entry));
  }
}

const nouns: Readonly<Record<string, string>> = {
  key: 'keys',
  tenant: 'tenants',
  management_key: 'management-keys',
};

/** Of the catalog: what lists all. */
const lists: Readonly<Record<string, string>> = {
  model: 'List all models with: catalog list',
  alias: 'List all with: catalog list-aliases',
};

function explain(error: unknown): never {
  if (!(error instanceof GatewayError) || error.kind !== 'not_found') throw error;
  const noun = nouns[error.param ?? ''];
  const list = lists[error.param ?? ''];
  if (list) throw new Error(`${error.message} ${list}`);
  throw noun === undefined
    ? error
    : new Error(`${error.message} List all ${noun.replace('-', ' ')} with: ${noun} list`);
}

/** What an operation rejects as invalid was typed by the user. */
export function asUsageError(error: unknown): never {
  if (error instanceof GatewayError && error.kind === 'invalid_request') throw new UsageError(error.message);
  throw error;
}

/** Every row of a list, page by page. */
export async function listAll<Row>(
  read: (page: {
    readonly after?: string;
  }) => Promise<{ readonly data: readonly Row[]; readonly next_after: string | null }>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let page: { readonly after?: string } | undefined = {};
  while (page) {
    const { data, next_after: after } = await read(page);
    rows.push(...data);
    page = after === null ? undefined : { after };
  }
  return rows;
}

export const allTenants = (call: CallAdmin, include?: 'spend') =>
  listAll((page) => call('admin-tenants-list', { limit: maxTenantPage, include, ...page }));
