/**
 * The local database: an embedded DynamoDB on disk, with the gateway's tables. Only one process at a time may open it.
 * That process writes its endpoint, which holds the access key, to `database.json` in the data directory, where other commands of
 * the same user find it.
 */
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import type { Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createIfAbsent } from '../infra/tables/table-calls.ts';
import type { AwsCall } from '../lib/core/ports/aws.ts';
import { kindOf, tableNames } from '../lib/core/tables.ts';
import { connectDatabase, findRunning, noteIn } from './database-call.ts';
import { checkDatabase, databaseDirectory, keepPrivate } from './database-files.ts';
import { guard, newAccessKey } from './database-guard.ts';
import type { Changes } from './stream/changes.ts';
import { openEngine } from './stream/engine.ts';

export interface LocalDatabase {
  /** For DYNAMODB_ENDPOINT: `http://<access key>@127.0.0.1:<port>`. */
  readonly endpoint: string;
  readonly call: AwsCall;
  /** The changes of the ledger that are still to be processed. */
  readonly changes: Changes;
  close(): Promise<void>;
}

/** Opens the database in `dataDirectory` and creates missing tables. Rejects if it is in use or damaged. */
export async function startDatabase({
  dataDirectory,
}: {
  readonly dataDirectory: string;
}): Promise<LocalDatabase> {
  const directory = databaseDirectory(dataDirectory);
  const note = noteIn(dataDirectory);
  await keepPrivate(dataDirectory);
  await refuseWhileInUse(dataDirectory);
  await checkDatabase(directory);
  const { server, changes } = openEngine(directory);
  const answers = watchAnswers(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = guard(server, newAccessKey());
  const { call, close } = connectDatabase(endpoint);
  const stop = async () => {
    await close();
    await rm(note, { force: true });
    // The engine throws in its own callback if its files close during a request. So this waits for what a gateway
    // still writes after an answer, and a moment longer for a request whose client has disconnected.
    await answers.ended(5_000);
    await pause(20);
    // Its own `close` also closes the files, and calls back after that.
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    await keepPrivate(dataDirectory);
  };
  // Locally, a table has the name of its purpose.
  await Promise.all(tableNames.map((name) => createTable(call, name, kindOf(name).isSorted)));
  await writeFile(note, JSON.stringify({ endpoint, pid: process.pid }), { mode: 0o600 });
  await keepPrivate(dataDirectory);
  return { endpoint, call, changes, close: stop };
}

/** A second process on one database would exit without a message, so this is checked before. */
async function refuseWhileInUse(dataDirectory: string): Promise<void> {
  const running = await findRunning(dataDirectory);
  if (!running) return;
  throw new Error(
    `The database in ${databaseDirectory(dataDirectory)} is in use by process ${running.pid}. Stop it, or choose another GATEWAY_DATA_DIR.`,
  );
}

/** Creates a table of the gateway, unless it exists; resolves when it can be used. The engine has no streams: `stream` adds that of the ledger. */
export async function createTable(call: AwsCall, name: string, isSorted = false): Promise<void> {
  await createIfAbsent(call, name, { isSorted, pauseMs: 5 });
}

/** The running answers of an HTTP server, so that it can be closed after they have ended. */
interface Answers {
  /** Resolves when none is running, or after the time. */
  ended(graceMs: number): Promise<void>;
}

function watchAnswers(server: Server): Answers {
  const running = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  return {
    async ended(graceMs) {
      const until = Date.now() + graceMs;
      while (running.size > 0 && Date.now() < until) {
        const ended = Promise.all([...running].map((response) => once(response, 'close')));
        await Promise.race([ended, pause(until - Date.now(), undefined, { ref: false })]);
      }
    },
  };
}
