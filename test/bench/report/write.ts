/** What a run leaves behind: a page for people, and JSON for whoever compares. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measured } from '../measured.ts';
import { headlinesTable } from './headlines.ts';
import { writeTable } from './table.ts';
import { otherTables, scenariosTable } from './tables.ts';

const bench = join(import.meta.dirname, '..');

/**
 * Both in `test/bench`. The JSON is this machine's own and not kept with the project; the page is, so that a quick run
 * does not write over it.
 */
export async function writeResults(measured: Measured): Promise<void> {
  await writeFile(join(bench, 'results.json'), `${JSON.stringify(measured, undefined, 2)}\n`);
  if (!measured.quick) await writeFile(join(bench, 'RESULTS.md'), writePage(measured));
}

/** The page of a run. */
export function writePage(measured: Measured): string {
  const { date, commit, machine } = measured;
  const head = [
    '# What the benchmark measured',
    '',
    `${date}, commit ${commit}. ${machine}.`,
    '',
    'Written by `npm run bench`; `test/bench/README.md` tells how it measures. Ratios are taken in one run on one machine.',
    '',
  ].join('\n');
  const tables = [headlinesTable(measured), scenariosTable(measured.scenarios), ...otherTables(measured)];
  return `${head}\n${tables.map(writeTable).join('\n')}`;
}
