/** Processor time, for tests that compare it within one run: as a ratio it does not depend on the machine. */

/** The milliseconds that this process spends while an action runs: the least of several runs, which nothing else disturbed. */
export async function cpuOf(action: () => unknown, runs = 6): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const start = process.cpuUsage();
    await action();
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}
