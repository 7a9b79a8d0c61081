/** The cost command as a function, for tests. */
import { runCost } from '../../infra/cost/cost.ts';

export interface Outcome {
  readonly code: number;
  readonly output: readonly string[];
  readonly told: string;
}

export function cost(typed: string): Outcome {
  const output: string[] = [];
  const told: string[] = [];
  const code = runCost(typed.split(' ').filter(Boolean), {
    write: (line) => output.push(...line.split('\n')),
    tell: (line) => told.push(line),
  });
  return { code, output, told: told.join('\n') };
}

export const costJson = (typed: string) => JSON.parse(cost(`${typed} --json`).output.join('\n'));
