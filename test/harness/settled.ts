/** Waiting for the sums and limits of this process's database to follow its ledger. */

let wait: () => Promise<void> = async () => {};

/** What starts an aggregator registers it here: a process has one. */
export function registerAggregator({ settled }: { settled(): Promise<void> }): void {
  wait = settled;
}

/** Resolves when sums and limits have everything that is in the ledger. */
export const settled = (): Promise<void> => wait();
