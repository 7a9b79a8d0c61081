/** The CLI as a function, on the data of a local gateway. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGateway } from '../../infra/cli/gateway.ts';
import { type LocalDatabase, startDatabase } from '../../infra/local/database.ts';
import { startLocalAggregator } from '../../infra/local/stream/local-aggregator.ts';
import { registerAggregator, settled } from '../harness/settled.ts';

export interface Outcome {
  readonly code: number;
  /** The lines of standard output. */
  readonly output: readonly string[];
  readonly stderr: string;
}

export interface Operator {
  readonly database: LocalDatabase;
  /** Contains the data of the gateway, and nothing else at first. */
  readonly directory: string;
  readonly environmentFile: string;
  /** Runs a command line, split at spaces, or a list of words. */
  run(typed: string | readonly string[], given?: Given): Promise<Outcome>;
  close(): Promise<void>;
}

export interface Given {
  /** Standard input. */
  readonly input?: string;
  /** The width of the terminal. */
  readonly columns?: number | undefined;
  readonly variables?: Readonly<Record<string, string>>;
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
    async run(typed, { input = '', variables, columns } = {}) {
      await settled();
      const output: string[] = [];
      const stderr: string[] = [];
      const words = typeof typed === 'string' ? typed.split(' ').filter(Boolean) : typed;
      const code = await runGateway(words, {
        variables: { ...variables, GATEWAY_DATA_DIR: dataDirectory },
        environmentFile,
        terminal: {
          write: (line) => output.push(...line.split('\n')),
          writeError: (line) => stderr.push(line),
          readValue: async () => input,
          columns,
        },
      });
      return { code, output, stderr: stderr.join('\n') };
    },
    async close() {
      await feed.close();
      await database.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** What a command wrote as JSON. */
export const parsed = ({ output }: Outcome) => JSON.parse(output.join('\n'));
