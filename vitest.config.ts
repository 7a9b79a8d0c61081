import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Files and folders of `npm run test:rest`, by what makes them slow. All others are those of `npm test`. */
const rest = {
  'volume, and random input': [
    'attack',
    'fuzz',
    'clients',
    'operations/messages/any-block.test.ts',
    'operations/messages/write-random.test.ts',
    'server/large-answers.test.ts',
    'server/large-bodies.test.ts',
    'server/storm.test.ts',
    'stores/limits-property.test.ts',
    'batches/random-faults.test.ts',
    'stores/conversations-property.test.ts',
    'operations/embeddings/tokens.test.ts',
  ],
  'faults, which are waited for': [
    'faults',
    'conformance/embeddings/faults.test.ts',
    'conformance/images/upstream.test.ts',
    'limits/priced-tiers.test.ts',
    'server/drain.test.ts',
    'server/leaving.test.ts',
    'server/slow-clients.test.ts',
    'stores/limits-shards.test.ts',
    'limits/budget.test.ts',
    'limits/faults.test.ts',
    'contract/background/upstream.test.ts',
    'contract/batches/own-keys.test.ts',
    'operations/responses/background-faults.test.ts',
    'operations/responses/background-money.test.ts',
    'metering/attempts.test.ts',
    'stores/circuit-breaker.test.ts',
    'transport/http-client.test.ts',
    'limits/database-calls.test.ts',
    'metering/aggregate.test.ts',
    'metering/dashboard-sums-edges.test.ts',
    'metering/gateway-ledger.test.ts',
    'transport/preconnect.test.ts',
  ],
  'processes, some of which are killed': [
    'billing',
    'released',
    'telemetry',
    'cli/local-data.test.ts',
    'cli/restore.test.ts',
    'cli/stack.test.ts',
    'local/start.test.ts',
    'runtime/credentials.test.ts',
    'server/aggregate-process.test.ts',
    'server/crashes.test.ts',
    'server/health.test.ts',
    'server/start.test.ts',
    'server/web',
    'server/workers.test.ts',
    'cli/export.test.ts',
    'cli/month.test.ts',
    'cli/usage.test.ts',
  ],
  'every model, with every client library': [
    'conformance/debug.test.ts',
    'conformance/documents.test.ts',
    'conformance/embeddings/embeddings.test.ts',
    'conformance/fallback.test.ts',
    'conformance/media-by-url.test.ts',
    'conformance/messages',
    'conformance/metering.test.ts',
    'conformance/native-fields.test.ts',
    'conformance/over-responses',
    'conformance/recordings.test.ts',
    'conformance/responses',
    'conformance/streams',
    'contract/frameworks',
    'contract/openai-responses',
  ],
  'a browser': ['contract/browser', 'dashboard/browser', 'dashboard/shell.test.ts'],
  'bundles, images and whole stacks': [
    'container',
    'contract/lambda.test.ts',
    'contract/lambda-responses.test.ts',
    'contract/start-ahead.test.ts',
    'cli/check.test.ts',
    'infra/admin-roles.test.ts',
    'infra/adoption.test.ts',
    'infra/alarms.test.ts',
    'infra/bundles.test.ts',
    'infra/fargate.test.ts',
    'infra/policies-used.test.ts',
    'infra/rehearsal',
    'infra/release.test.ts',
    'infra/roles-used.test.ts',
    'infra/rules.test.ts',
    'infra/seed.test.ts',
    'infra/where.test.ts',
    'infra/bedrock.test.ts',
    'infra/edge.test.ts',
    'infra/endpoints.test.ts',
    'infra/policies.test.ts',
  ],
};

/** Files that compare times or memory: another process can spoil a measurement, so that one which fails is made again. */
const measured = [
  'admin/speed.test.ts',
  'attack/patterns.test.ts',
  'attack/served-upstream.test.ts',
  'attack/served.test.ts',
  'attack/upstream.test.ts',
  'attack/volume.test.ts',
  'contract/hostile-bodies.test.ts',
  'contract/images-memory.test.ts',
  'server/files-memory.test.ts',
  'server/batch-memory.test.ts',
  'contract/request-memory.test.ts',
  'limits/order-of-work.test.ts',
  'normalization/linear.test.ts',
  'operations/embeddings/memory.test.ts',
  'operations/messages/read-speed.test.ts',
  'operations/messages/write-speed.test.ts',
];

const filesOf = (names: readonly string[]) =>
  names.map((name) => (name.endsWith('.ts') ? `test/${name}` : `test/${name}/**/*.test.ts`));
const restFiles = filesOf(Object.values(rest).flat());
const measuredFiles = filesOf(measured);

export default defineConfig({
  test: {
    globalSetup: ['test/harness/build-directory.ts'],
    // Much of a run is waiting: for retries, timeouts and child processes.
    maxWorkers: availableParallelism() + 1,
    pool: 'forks',
    // Files share processes, and so load each module once.
    isolate: false,
    // Less garbage collection.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: ['test/harness/hide-log.ts'],
    // These only end tests that hang: on a busy machine a test takes many times as long as alone.
    testTimeout: 300_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'main',
          include: ['test/**/*.test.ts'],
          exclude: [...restFiles, ...measuredFiles],
        },
      },
      { extends: true, test: { name: 'rest', include: restFiles, exclude: measuredFiles } },
      { extends: true, test: { name: 'measured', include: measuredFiles, isolate: true, retry: 2 } },
    ],
  },
});
