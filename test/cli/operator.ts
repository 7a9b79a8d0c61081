/** The CLI as a function, on the data of a local gateway. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTenantStore } from '../../lib/stores/access/tenants.ts';
import { type LocalDatabase, startDatabase } from '../../local/database.ts';
import { startLocalAggregator } from '../../local/stream/feed.ts';
import { type Ledger, openLedger } from '../harness/ledger.ts';
import { type Given, type Outcome, runCommand } from '../harness/operator-command.ts';
import { registerAggregator, settled } from '../harness/settled.ts';

export type { Given, Outcome } from '../harness/operator-command.ts';

export interface Operator {
  readonly database: LocalDatabase;
  /** Contains the data of the gateway, and nothing else at first. */
  readonly directory: string;
  readonly environmentFile: string;
  /** Runs a command line, split at spaces, or a list of words. */
  run(typed: string | readonly string[], given?: Given): Promise<Outcome>;
  close(): Promise<void>;
}

export async function startOperator(): Promise<Operator> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-operator-'));
  const dataDirectory = join(directory, 'data');
  const environmentFile = join(directory, '.env');
  const database = await startDatabase({ dataDirectory });
  const feed = startLocalAggregator(database);
  registerAggregator(feed);
  return {
    database,
    directory,
    environmentFile,
    async run(typed, given) {
      await settled();
      return await runCommand(dataDirectory, typed, { environmentFile, ...given });
    },
    async close() {
      await feed.close();
      await database.close();
      await rm(directory, { recursive: true });
    },
  };
}

export interface LedgerOperator extends Operator {
  readonly ledger: Ledger;
}

/** An operator of these tenants, and their ledger. */
export async function startLedgerOperator(...names: readonly string[]): Promise<LedgerOperator> {
  const operator = await startOperator();
  const ledger = openLedger(operator.database.endpoint);
  const tenants = createTenantStore({ call: operator.database.call, table: 'access' });
  for (const name of names) await tenants.create(name);
  return {
    ...operator,
    ledger,
    async close() {
      await ledger.close();
      await operator.close();
    },
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
