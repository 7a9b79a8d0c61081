/** The cost command as a function, for tests. */
import { runCost } from '../../cli/cost/cost.ts';

export interface Outcome {
  readonly code: number;
  readonly output: readonly string[];
  readonly stderr: string;
}

export function cost(typed: string): Outcome {
  const output: string[] = [];
  const stderr: string[] = [];
  const code = runCost(typed.split(' ').filter(Boolean), {
    write: (line) => output.push(...line.split('\n')),
    writeError: (line) => stderr.push(line),
  });
  return { code, output, stderr: stderr.join('\n') };
}

export const costJson = (typed: string) => JSON.parse(cost(`${typed} --json`).output.join('\n'));
