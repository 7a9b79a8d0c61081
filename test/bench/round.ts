/** One round: a number of callers ask one contender repeatedly for a while. */
import type { Client, Question, Timed } from './client.ts';
import type { Contender } from './contenders.ts';

export interface Round {
  readonly requests: number;
  readonly perSecond: number;
  /** Microseconds of processor time that the contender took for one request. */
  readonly cpu: number;
  readonly times: readonly Timed[];
}

export async function runRound(
  { process }: Contender,
  client: Client,
  question: Question,
  { callers, ms }: { readonly callers: number; readonly ms: number },
): Promise<Round> {
  const times: Timed[] = [];
  const before = await process.usage();
  const begun = performance.now();
  const call = async () => {
    do times.push(await client.ask(question));
    while (performance.now() - begun < ms);
  };
  await Promise.all(Array.from({ length: callers }, call));
  const seconds = (performance.now() - begun) / 1_000;
  const after = await process.usage();
  const requests = times.length;
  return { requests, perSecond: requests / seconds, cpu: (after.cpu - before.cpu) / requests, times };
}
