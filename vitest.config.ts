import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/harness/hide-log.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Each file gets a process of its own: a gateway reads its configuration from the environment once.
    pool: 'forks',
    // Much of a run is waiting, so that no core is kept free for the runner.
    maxWorkers: Math.max(2, availableParallelism()),
  },
});
