/**
 * The local database: an embedded DynamoDB on disk, with the gateway's tables. One process at a time may open it; a
 * note in the data directory tells other commands on this machine where it answers meanwhile.
 */
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import dynalite from 'dynalite';
import type { AwsCall } from '../../lib/core/ports.ts';
import { AwsError } from '../../lib/core/ports.ts';
import { partitionKey, sortKey, type TableName, tables } from '../../lib/core/tables.ts';
import { watchAnswers } from './answers.ts';
import { connectDatabase } from './database-call.ts';

export interface LocalDatabase {
  /** For DYNAMODB_ENDPOINT. */
  readonly endpoint: string;
  readonly call: AwsCall;
  close(): Promise<void>;
}

/** On this machine a table is named like its concern. */
export const tableNames = Object.keys(tables) as readonly TableName[];

/** Opens the database below `dataDirectory` and creates the tables that are not there yet. */
export async function startDatabase({
  dataDirectory,
}: {
  readonly dataDirectory: string;
}): Promise<LocalDatabase> {
  const directory = join(dataDirectory, 'database');
  const note = join(dataDirectory, 'database.json');
  await mkdir(directory, { recursive: true });
  await refuseWhileInUse(note, directory);
  const server = dynalite({ path: directory, createTableMs: 0 });
  const answers = watchAnswers(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { call, close } = connectDatabase(endpoint);
  const stop = async () => {
    await close();
    await rm(note, { force: true });
    // The engine throws where nobody can catch it when its files close under a request: what a gateway still writes down
    // behind an answer is waited for, and a moment longer for a request whose sender has left.
    await answers.ended(5_000);
    await pause(20);
    // Its own `close` also closes the files, and calls back after that.
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await Promise.all(tableNames.map((name) => createTable(call, name, 'isSorted' in tables[name])));
  await writeFile(note, JSON.stringify({ endpoint, pid: process.pid }));
  return { endpoint, call, close: stop };
}

/** Two processes on one database end the second one without a word, so it is found out before. */
async function refuseWhileInUse(note: string, directory: string): Promise<void> {
  const found = await readFile(note, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  if (typeof found?.endpoint !== 'string') return;
  // A note that nobody answers for was left by a process that was killed.
  const answers = await fetch(found.endpoint, { signal: AbortSignal.timeout(1_000) }).then(
    () => true,
    () => false,
  );
  if (answers) throw new Error(`The database in ${directory} is in use by process ${found.pid}.`);
}

/** Creates a table of the gateway's form, unless it is there; resolves when it can be used. */
export async function createTable(call: AwsCall, name: string, isSorted = false): Promise<void> {
  const keys = [partitionKey, ...(isSorted ? [sortKey] : [])];
  try {
    await call('DynamoDB_20120810.CreateTable', {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((key) => ({ AttributeName: key, AttributeType: 'S' })),
      KeySchema: keys.map((key) => ({ AttributeName: key, KeyType: key === sortKey ? 'RANGE' : 'HASH' })),
    });
  } catch (thrown) {
    if (!(thrown instanceof AwsError && thrown.type === 'ResourceInUseException')) throw thrown;
  }
  await untilActive(call, name);
}

async function untilActive(call: AwsCall, name: string): Promise<void> {
  for (;;) {
    const { Table } = await call('DynamoDB_20120810.DescribeTable', { TableName: name });
    const { TableStatus } = Table as { readonly TableStatus?: string };
    if (TableStatus === 'ACTIVE') return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
