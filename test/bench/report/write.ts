/**
 * What runs write: JSON for comparisons on this machine, which is not committed, and the page for
 * people, made of the last full run and the last load.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Load, Measured } from '../measured.ts';
import { headlinesTable } from './headlines.ts';
import { writeTable } from './table.ts';
import { loadTable, otherTables, scenarioTables } from './tables.ts';

const bench = join(import.meta.dirname, '..');
const files = { measured: join(bench, 'results.json'), load: join(bench, 'load.json') };

export async function keepMeasured(measured: Measured): Promise<void> {
  await keep(files.measured, measured);
}

export async function keepLoad(load: Load): Promise<void> {
  await keep(files.load, load);
}

async function keep(file: string, kept: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(kept, undefined, 2)}\n`);
  await writePage();
}

/** A quick run makes no page: its figures are hints. */
async function writePage(): Promise<void> {
  const measured: Measured | undefined = await read(files.measured);
  const load: Load | undefined = await read(files.load);
  if (!measured || measured.quick) return;
  await writeFile(join(bench, 'RESULTS.md'), pageOf(measured, load));
}

async function read(file: string) {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

export function pageOf(measured: Measured, load: Load | undefined): string {
  const { date, commit, machine } = measured;
  const head = [
    '# What the benchmark measured',
    '',
    `${date}, commit ${commit}. ${machine}.`,
    '',
    'Written by `npm run bench`; `test/bench/README.md` describes the method. Ratios are taken in one run on one machine.',
    '',
  ].join('\n');
  const tables = [
    headlinesTable(measured),
    ...scenarioTables(measured.scenarios),
    ...otherTables(measured),
    ...(load ? [loadTable(load)] : []),
  ];
  return `${head}\n${tables.map(writeTable).join('\n')}`;
}
