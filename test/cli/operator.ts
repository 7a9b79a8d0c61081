/** The CLI as a function, on the data of a local gateway. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { partitionKey, type TableName } from '../../lib/core/tables.ts';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { startDatabase } from '../../local/database.ts';
import { startLocalAggregator } from '../../local/stream/feed.ts';
import { type Ledger, openLedger } from '../harness/ledger.ts';
import { type Given, type Outcome, runCommand } from '../harness/operator-command.ts';
import { registerAggregator, settled } from '../harness/settled.ts';

export type { Given, Outcome } from '../harness/operator-command.ts';

export interface Operator {
  readonly ledger: Ledger;
  /** Contains the data of the gateway, and nothing else at first. */
  readonly directory: string;
  readonly environmentFile: string;
  /** What the stores of a table are made of. They may be made before the test begins. */
  at(table: TableName): { readonly call: AwsCall; readonly table: string; readonly now: () => number };
  /** Runs a command line, split at spaces, or a list of words. */
  run(typed: string | readonly string[], given?: Given): Promise<Outcome>;
}

async function startOperator() {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-operator-'));
  const dataDirectory = join(directory, 'data');
  const environmentFile = join(directory, '.env');
  const database = await startDatabase({ dataDirectory });
  const feed = startLocalAggregator(database);
  registerAggregator(feed);
  const ledger = openLedger(database.endpoint);
  return {
    call: database.call,
    ledger,
    directory,
    environmentFile,
    async run(typed: string | readonly string[], given?: Given) {
      await settled();
      return await runCommand(dataDirectory, typed, { environmentFile, ...given });
    },
    async close() {
      await ledger.close();
      await feed.close();
      await database.close();
      await rm(directory, { recursive: true });
    },
  };
}

function operatorBetween(
  start: typeof beforeEach,
  end: typeof afterEach,
  tenants: readonly string[],
): Operator {
  let started: Awaited<ReturnType<typeof startOperator>>;
  const at: Operator['at'] = (table) => ({
    call: (...given) => started.call(...given),
    table,
    now: () => Date.now(),
  });
  start(async () => {
    started = await startOperator();
    for (const name of tenants) await createTenantStore(at('access')).create(name);
  });
  end(() => started?.close());
  return {
    get ledger() {
      return started.ledger;
    },
    get directory() {
      return started.directory;
    },
    get environmentFile() {
      return started.environmentFile;
    },
    at,
    run: (typed, given) => started.run(typed, given),
  };
}

/** A new operator of these tenants for each test of a file. */
export const useOperator = (...tenants: readonly string[]): Operator =>
  operatorBetween(beforeEach, afterEach, tenants);

/** One operator for all tests of a file. */
export const useOneOperator = (): Operator => operatorBetween(beforeAll, afterAll, []);

/** The same, each test of which starts without tenants and keys. */
export function useCommand() {
  const operator = useOneOperator();
  const access = openTable(operator.at('access'));
  beforeEach(async () => {
    for (const prefix of ['tenant#', 'key#']) {
      for (const item of await access.scan(prefix)) await access.remove(String(item[partitionKey]));
    }
  });
  return {
    at: operator.at,
    run: (line: string, columns?: number) => operator.run(line, { columns }),
    /** The parsed output with --json. */
    json: async (line: string): Promise<unknown> => parsed(await operator.run(`${line} --json`)),
  };
}

/** A row of the catalog. */
export const modelRow = (id: string, more: object = {}) => ({
  id,
  created: '2026-01-01',
  status: 'active',
  endpoints: ['chat_completions'],
  modalities: { input: ['text'], output: ['text'] },
  limits: { context: 1000, input: null, output: null },
  traits: {},
  price: { input: 2, output: 8 },
  deployments: [{ provider: 'openai', region: 'global', upstreamId: id }],
  ...more,
});

/** What a command wrote as JSON. */
export const parsed = ({ output }: Outcome) => JSON.parse(output.join('\n'));
