/** One gateway for a file, whose data of a thousand tenants with five thousand keys are in a process of their own. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { connectDatabase } from '../../../local/database-call.ts';
import { startTestGateway, type TestGateway } from '../gateways/gateway.ts';
import { newDirectory } from '../new-directory.ts';

/** The stream of the ledger stays in the other process: its records have their sums. */
const changes = { next: async () => [], done: async () => {}, onChange: () => {} };

/** `records`: of requests. A thousand of them are seeded in a fraction of a second. */
export function useSeededGateway(records: number): () => TestGateway {
  const dataDirectory = newDirectory();
  let database: ChildProcess;
  let connection: ReturnType<typeof connectDatabase>;
  let gateway: TestGateway;
  beforeAll(async () => {
    database = fork(
      join(import.meta.dirname, 'seeded-database.ts'),
      [dataDirectory, String(records)],
      // Seeding makes many objects that are soon gone.
      { execArgv: ['--max-semi-space-size=64'] },
    );
    const [message] = await once(database, 'message');
    const { endpoint } = message as { readonly endpoint: string };
    connection = connectDatabase(endpoint);
    gateway = await startTestGateway({}, { database: { endpoint, call: connection.call, changes } });
  });
  afterAll(async () => {
    await gateway?.close();
    await connection?.close();
    if (database?.connected) {
      const ended = once(database, 'exit');
      database.disconnect();
      await ended;
    }
  });
  return () => gateway;
}
