/** A Stryker plugin that prints each change that no test noticed as soon as it is found, so that a stopped run has named its own. */
import type { MutantResult } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import type { Reporter } from '@stryker-mutator/api/report';
import { inProject } from './sample.ts';

export const hasSurvived = ({ status }: Pick<MutantResult, 'status'>): boolean =>
  status === 'Survived' || status === 'NoCoverage';

class SurvivorReporter implements Reporter {
  onMutantTested(result: Readonly<MutantResult>): void {
    if (!hasSurvived(result)) return;
    const { fileName, location, status, mutatorName, replacement } = result;
    const { line, column } = location.start;
    console.log(`${inProject(fileName)}:${line}:${column} ${status} ${mutatorName}`);
    console.log(`    ${replacement?.replaceAll(/\s+/g, ' ').slice(0, 120)}`);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'survivors', SurvivorReporter)];
