import dynalite from 'dynalite';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import { tables } from '../../lib/core/tables.ts';
import { createTable } from '../../local/database.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { ownDatabase } from '../harness/dynamodb-local/own-database.ts';
import { listen } from '../harness/listening.ts';
import { use } from '../harness/use.ts';

export interface TestDatabase {
  readonly endpoint: string;
  readonly call: AwsCall;
  /** Every action called so far. */
  readonly actions: string[];
  close(): Promise<void>;
}

/** Empties a table. Deleting a table takes a moment, as in AWS. */
export async function emptyTable(call: AwsCall, name: string, isSorted = false): Promise<void> {
  await call('DynamoDB_20120810.DeleteTable', { TableName: name });
  const isThere = () =>
    call('DynamoDB_20120810.DescribeTable', { TableName: name }).then(
      () => true,
      () => false,
    );
  while (await isThere()) await new Promise((resolve) => setTimeout(resolve, 5));
  await createTable(call, name, isSorted);
}

const isSorted = (table: string) =>
  Object.entries(tables).some(([name, kind]) => name === table && 'isSorted' in kind);

/** Tables have a sort key where they have one in production. */
export async function startTestDatabase(names: readonly string[]): Promise<TestDatabase> {
  const { TEST_DYNAMODB_LOCAL: engine } = process.env;
  const server = engine ? ownDatabase(engine) : dynalite({ createTableMs: 0, deleteTableMs: 0 });
  const endpoint = await listen(server);
  const { call: real, close } = connectDatabase(endpoint);
  for (const table of names) await createTable(real, table, isSorted(table));
  const actions: string[] = [];
  return {
    endpoint,
    actions,
    call: (action, ...rest) => {
      actions.push(action.replace('DynamoDB_20120810.', ''));
      return real(action, ...rest);
    },
    close: async () => {
      await close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One for the tests of a file. Its `call` can be given to stores that are created before it is started. */
export function useTestDatabase(...tables: readonly string[]): TestDatabase {
  const database = use(() => startTestDatabase(tables));
  const call: AwsCall = (...parameters) => database.call(...parameters);
  return new Proxy(database, {
    get: (_, name) => (name === 'call' ? call : Reflect.get(database, name)),
  });
}

/** A database that answers every call with an error. */
export const brokenDatabase: AwsCall = () =>
  Promise.reject(new AwsError('InternalServerError', 'fault', 500));
