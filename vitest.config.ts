import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Folders of tests that start no gateway: their files share processes, and so load each module once. */
const sharing = [
  'async',
  'catalog',
  'core',
  'fuzz',
  'http',
  'metering',
  'normalization',
  'operations',
  'pipeline',
  'protocols',
  'providers',
  'routing',
  'runtime',
  'sandbox',
  'stores',
  'transport',
];

/** Files in these folders that start one. */
const alone = [
  'test/metering/cached-content-ledger.test.ts',
  'test/metering/gateway-ledger.test.ts',
  'test/metering/attempts.test.ts',
  'test/metering/reported-use.test.ts',
  'test/metering/request-metrics.test.ts',
  'test/metering/served-tier.test.ts',
  'test/operations/messages/*.test.ts',
  'test/normalization/upstream.test.ts',
  'test/operations/nulls.test.ts',
  'test/providers/azure.test.ts',
  'test/providers/bedrock-geography.test.ts',
  'test/providers/bedrock-regions.test.ts',
  'test/providers/bedrock.test.ts',
  'test/providers/caller-paths-upstream.test.ts',
  'test/providers/matrix.test.ts',
  'test/providers/responses-upstream.test.ts',
];

/** Files that compare times or memory. Another process can spoil a measurement, so that one which fails is made again. */
const measured = [
  'test/attack/patterns.test.ts',
  'test/attack/served-upstream.test.ts',
  'test/attack/served.test.ts',
  'test/attack/slow-messages.test.ts',
  'test/attack/upstream.test.ts',
  'test/attack/volume.test.ts',
  'test/contract/hostile-bodies.test.ts',
  'test/contract/images-memory.test.ts',
  'test/contract/request-memory.test.ts',
  'test/limits/order-of-work.test.ts',
  'test/normalization/linear.test.ts',
  'test/operations/embeddings/memory.test.ts',
  'test/operations/messages/read-speed.test.ts',
  'test/operations/messages/write-speed.test.ts',
];

const testsIn = (folder: string) => `test/${folder}/**/*.test.ts`;
const others = readdirSync(join(import.meta.dirname, 'test')).filter((name) => !sharing.includes(name));

export default defineConfig({
  test: {
    globalSetup: ['test/harness/build-directory.ts'],
    // Much of a run is waiting: for retries, timeouts and child processes.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: sharing.map(testsIn),
          exclude: [...alone, ...measured],
          isolate: false,
        },
      },
      {
        extends: true,
        // Each file gets a process of its own: a gateway reads its configuration from the environment once.
        test: {
          name: 'isolated',
          include: ['test/*.test.ts', ...others.map(testsIn), ...alone],
          exclude: measured,
          isolate: false,
        },
      },
      { extends: true, test: { name: 'measured', include: measured, retry: 2 } },
    ],
    pool: 'forks',
    setupFiles: ['test/harness/hide-log.ts'],
    // These only end tests that hang: on a busy machine a test takes many times as long as alone.
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
