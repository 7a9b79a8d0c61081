/** Runs a target on damaged inputs, for a time or a number of inputs, the same for the same seed. */
import { createRandom } from '../harness/random.ts';
import { mutate } from './mutate.ts';
import type { Target } from './targets/target.ts';

export interface Finding {
  readonly target: string;
  readonly input: Buffer;
  readonly faults: readonly string[];
}

interface FuzzLimits {
  readonly seed: number;
  readonly ms: number;
  /** Default: as many as the time allows. */
  readonly runs?: number;
}

/** CPU time of one input, in milliseconds for each of its kilobytes and beside them: far more than any takes. */
const [mostPerKilobyte, mostBeside] = [20, 300];

/** The first input that is handled wrongly; undefined if there is none. */
export async function fuzz(target: Target, { seed, ms, runs = Number.POSITIVE_INFINITY }: FuzzLimits) {
  const random = createRandom(seed);
  const until = performance.now() + ms;
  let done = 0;
  // Compiles, and loads what is loaded with the first use.
  const [first = Buffer.of()] = target.samples;
  await faultsWith(target, first);
  for (const sample of target.samples) {
    const faults = await faultsWith(target, sample);
    if (faults.length > 0) return { done, finding: { target: target.name, input: sample, faults } };
  }
  for (; done < runs && performance.now() < until; done++) {
    const input = mutate(random, random.one(target.samples));
    const faults = await faultsWith(target, input);
    if (faults.length > 0) return { done, finding: { target: target.name, input, faults } };
  }
  return { done, finding: undefined };
}

/** The faults of the target, and those that no target may have. */
export async function faultsWith(target: Target, input: Buffer): Promise<readonly string[]> {
  const before = process.cpuUsage();
  const faults = await Promise.resolve()
    .then(() => target.check(input))
    .catch((thrown) => [`threw ${thrown instanceof Error ? thrown.stack : thrown}`]);
  const { user, system } = process.cpuUsage(before);
  const isSlow = (user + system) / 1_000 > mostBeside + (mostPerKilobyte * input.length) / 1_024;
  return [...faults, ...(isSlow ? ['takes too long'] : []), ...pollution()];
}

function pollution(): readonly string[] {
  const found = [Object.prototype, Array.prototype, Function.prototype].some(
    (prototype) => 'polluted' in prototype,
  );
  return found ? ['changes a prototype'] : [];
}
