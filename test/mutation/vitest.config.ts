/** The tests of one part, which the mutation run names in the environment. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    exclude: (process.env.MUTATION_EXCEPT ?? '').split(','),
    globalSetup: ['test/harness/build-directory.ts'],
    setupFiles: ['test/harness/hide-log.ts', 'test/mutation/fewer-runs.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // As in the suite: the files of one run share a process, which loads each module once.
    isolate: false,
  },
});
