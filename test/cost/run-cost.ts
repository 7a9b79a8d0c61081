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

interface JsonLine {
  readonly part: string;
  readonly what: string;
  readonly usd_per_month: string;
}

/** The amounts of a bill by part and name. */
export const linesOf = ({ lines }: { readonly lines: readonly JsonLine[] }) =>
  Object.fromEntries(lines.map(({ part, what, usd_per_month }) => [`${part}: ${what}`, usd_per_month]));
