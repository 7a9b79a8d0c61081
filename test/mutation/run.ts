/**
 * Mutation tests: `npm run mutate -- lib/routing`. Changes the code in many small ways, and reports the changes that no
 * test notices. Exits with 1 where a part scores below the target.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { type Part, parts } from './parts.ts';
import { hasSurvived } from './survivors.ts';

const target = 85;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The share of the mutants that are tested, above 0 and at most 1. */
    share: { type: 'string', default: '1' },
    /** Which mutants those are. */
    seed: { type: 'string', default: '1' },
    /** How many test processes run at once. */
    workers: { type: 'string', default: '2' },
  },
});

interface Score {
  readonly folder: string;
  readonly killed: number;
  readonly tested: number;
}

const percentOf = ({ killed, tested }: Score) => (tested === 0 ? 100 : (100 * killed) / tested);

/** Stryker has no options for plugins: the tests and the sample are passed in the environment. */
async function mutate(part: Part, only: string): Promise<readonly MutantResult[]> {
  const { folder, tests, except = [], unreached = [] } = part;
  process.env.MUTATION_TESTS = tests.map((path) => (path.endsWith('**') ? `${path}/*.test.ts` : path)).join();
  process.env.MUTATION_EXCEPT = except.join();
  process.env.MUTATION_SHARE = values.share;
  process.env.MUTATION_SEED = values.seed;
  const isWhole = only === folder && values.share === '1';
  const stryker = new Stryker({
    mutate: [only.endsWith('.ts') ? only : `${only}/**/*.ts`, ...unreached.map((path) => `!${path}`)],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false, pool: 'forks' },
    plugins: [
      '@stryker-mutator/vitest-runner',
      ...['sample.ts', 'survivors.ts'].map((name) => join(import.meta.dirname, name)),
    ],
    checkers: ['sample'],
    // Words may change: what is said is tested where it matters, and what is done everywhere.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    concurrency: Number(values.workers),
    // Long: a run that is only slow, as on a busy machine, would count as one that a test has stopped.
    timeoutMS: 90_000,
    dryRunTimeoutMinutes: 15,
    // The compiler has no interface for tools any more, so that Stryker cannot read its configuration.
    tsconfigFile: 'none.json',
    tempDirName: join(tmpdir(), 'gateway-mutation'),
    // A stopped run is resumed, and a later run tests what has changed since.
    incremental: isWhole,
    incrementalFile: join('.mutation', `${folder.replaceAll('/', '-')}.json`),
    reporters: ['progress-append-only', 'survivors'],
  });
  return await stryker.runMutationTest();
}

const isKilled = ({ status }: MutantResult) => status === 'Killed' || status === 'Timeout';

function scoreOf(folder: string, results: readonly MutantResult[]): Score {
  const killed = results.filter(isKilled).length;
  return { folder, killed, tested: killed + results.filter(hasSurvived).length };
}

function partOf(path: string): Part {
  const part = parts.find(({ folder }) => path === folder || path.startsWith(`${folder}/`));
  if (part) return part;
  throw new Error(
    `No part has tests for ${path}. The parts: ${parts.map(({ folder }) => folder).join(', ')}.`,
  );
}

const scores: Score[] = [];
for (const path of positionals.length > 0 ? positionals : parts.map(({ folder }) => folder)) {
  scores.push(scoreOf(path, await mutate(partOf(path), path)));
}
for (const score of scores) {
  const { folder, killed, tested } = score;
  console.log(`${folder}: ${percentOf(score).toFixed(1)} % (${killed} of ${tested} mutants were noticed)`);
}
process.exitCode = scores.every((score) => percentOf(score) >= target) ? 0 : 1;
