/** A Stryker plugin that lets a share of the mutants pass, the same ones for the same seed. */
import { createHash } from 'node:crypto';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

const notSampled = 'not in the sample';

const share = Number(process.env.MUTATION_SHARE ?? 1);
const seed = process.env.MUTATION_SEED ?? '1';

/** A path in the project: its copy for the mutants is in another directory at each run. */
export const inProject = (path: string): string => path.replace(/^.*\/(?=(?:lib|server)\/)/, '');

/** The mutant by its path in the project. */
function isSampled({ fileName, location, replacement, mutatorName }: Mutant): boolean {
  const path = inProject(fileName);
  const text = JSON.stringify([seed, path, location, replacement, mutatorName]);
  return createHash('sha256').update(text).digest().readUInt32BE() < share * 2 ** 32;
}

class SampleChecker implements Checker {
  async init(): Promise<void> {}

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    const results = mutants.map((mutant): [string, CheckResult] => [
      mutant.id,
      isSampled(mutant)
        ? { status: CheckStatus.Passed }
        : { status: CheckStatus.CompileError, reason: notSampled },
    ]);
    return Object.fromEntries(results);
  }

  group(mutants: Mutant[]): Promise<string[][]> {
    return Promise.resolve([mutants.map(({ id }) => id)]);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', SampleChecker)];
