/** The command line as a function, on the data of a local gateway. */
import { join } from 'node:path';
import { runGateway } from '../../cli/gateway.ts';

export interface Outcome {
  readonly code: number;
  /** The lines of standard output. */
  readonly output: readonly string[];
  readonly stderr: string;
}

export interface Given {
  /** Standard input. */
  readonly input?: string;
  /** The width of the terminal. */
  readonly columns?: number | undefined;
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** By default one that does not exist. */
  readonly environmentFile?: string;
}

/** Runs a command line, split at spaces, or a list of words. */
export async function runCommand(
  dataDirectory: string,
  typed: string | readonly string[],
  { input = '', columns, variables, environmentFile = join(dataDirectory, '.env') }: Given = {},
): Promise<Outcome> {
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
}
