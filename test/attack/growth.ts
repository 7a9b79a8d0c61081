/** How much longer work takes when its input grows, in CPU time of this process. */

/** The CPU time of one run in microseconds: the least of several, since others use the machine too. */
function leastCpu(work: () => void, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** Below this, a measurement is mostly noise. In microseconds. */
const shortest = 3_000;

/**
 * The CPU time for an input of `factor` times the size, as a multiple of that for the small one, over `factor`: about 1 for work
 * that is linear, about `factor` for work that is quadratic.
 */
export function growthOf(make: (size: number) => () => void, small: number, factor: number): number {
  const [one, other] = [make(small), make(small * factor)];
  // Compiles.
  one();
  const little = Math.max(shortest, leastCpu(one, 5));
  return leastCpu(other, 2) / little / factor;
}
