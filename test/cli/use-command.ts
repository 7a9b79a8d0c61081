/** The CLI for the tests of a file, each of which starts without tenants and keys. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { partitionKey } from '../../lib/core/tables.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import type { LocalDatabase } from '../../local/database.ts';
import { type Operator, type Outcome, parsed, startOperator } from './operator.ts';

export interface TestCommand {
  run(line: string, columns?: number): Promise<Outcome>;
  /** The parsed output with --json. */
  json(line: string): Promise<unknown>;
  database(): LocalDatabase;
}

export function useCommand(): TestCommand {
  let operator: Operator;
  beforeAll(async () => {
    operator = await startOperator();
  });
  afterAll(() => operator?.close());
  beforeEach(async () => {
    const items = openTable({ call: operator.database.call, table: 'access' });
    for (const prefix of ['tenant#', 'key#']) {
      for (const item of await items.scan(prefix)) await items.remove(String(item[partitionKey]));
    }
  });
  return {
    run: (line, columns) => operator.run(line, { columns }),
    json: async (line) => parsed(await operator.run(`${line} --json`)),
    database: () => operator.database,
  };
}
