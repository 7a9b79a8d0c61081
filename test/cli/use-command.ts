/** The operator's command on the data of one gateway on this machine, for the tests of a file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { runGateway } from '../../infra/cli/gateway.ts';
import { tables } from '../../lib/core/tables.ts';
import { emptyTable, startTestDatabase, type TestDatabase } from '../stores/database.ts';

export interface Outcome {
  readonly code: number;
  readonly output: readonly string[];
  readonly told: string;
}

export interface TestCommand {
  /** Runs what an operator types, with this on standard input. */
  run(line: string, input?: string): Promise<Outcome>;
  /** What the command wrote as JSON. */
  json(line: string): Promise<unknown>;
  database(): TestDatabase;
}

/** Starts each test without tenants and keys. */
export function useCommand(): TestCommand {
  let database: TestDatabase;
  let directory: string;

  beforeAll(async () => {
    database = await startTestDatabase(Object.keys(tables));
    directory = await mkdtemp(join(tmpdir(), 'gateway-cli-'));
    // What a gateway leaves while it runs.
    const note = { endpoint: database.endpoint, pid: process.pid };
    await writeFile(join(directory, 'database.json'), JSON.stringify(note));
  });

  afterAll(async () => {
    await database.close();
    await rm(directory, { recursive: true });
  });

  beforeEach(() => emptyTable(database.call, 'access'));

  async function run(line: string, input = ''): Promise<Outcome> {
    const output: string[] = [];
    const told: string[] = [];
    const code = await runGateway(line.split(' ').filter(Boolean), {
      variables: { GATEWAY_DATA_DIR: directory },
      terminal: {
        write: (text) => output.push(text),
        tell: (text) => told.push(text),
        readValue: async () => input,
      },
    });
    return { code, output, told: told.join('\n') };
  }

  return {
    run,
    json: async (line) => JSON.parse((await run(`${line} --json`)).output.join('\n')),
    database: () => database,
  };
}
