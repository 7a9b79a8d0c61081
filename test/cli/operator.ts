/** The operator's command as a function, on the data of a gateway that runs on this machine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGateway } from '../../infra/cli/gateway.ts';
import { type LocalDatabase, startDatabase } from '../../infra/local/database.ts';

export interface Outcome {
  readonly code: number;
  /** What was written, line by line. */
  readonly output: readonly string[];
  readonly told: string;
}

export interface Operator {
  readonly database: LocalDatabase;
  /** An empty directory at first, with the data of the gateway below it. */
  readonly directory: string;
  readonly environmentFile: string;
  /** Runs what is typed, words between spaces, or one by one. */
  run(typed: string | readonly string[], given?: Given): Promise<Outcome>;
  close(): Promise<void>;
}

export interface Given {
  /** Standard input. */
  readonly input?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

export async function startOperator(): Promise<Operator> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-operator-'));
  const dataDirectory = join(directory, 'data');
  const environmentFile = join(directory, '.env');
  const database = await startDatabase({ dataDirectory });
  return {
    database,
    directory,
    environmentFile,
    async run(typed, { input = '', variables } = {}) {
      const output: string[] = [];
      const told: string[] = [];
      const words = typeof typed === 'string' ? typed.split(' ').filter(Boolean) : typed;
      const code = await runGateway(words, {
        variables: { ...variables, GATEWAY_DATA_DIR: dataDirectory },
        environmentFile,
        terminal: {
          write: (line) => output.push(...line.split('\n')),
          tell: (line) => told.push(line),
          readValue: async () => input,
        },
      });
      return { code, output, told: told.join('\n') };
    },
    async close() {
      await database.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** What a command wrote as JSON. */
export const parsed = ({ output }: Outcome) => JSON.parse(output.join('\n'));
