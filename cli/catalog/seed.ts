/** `catalog lint` and `catalog sync`: faults in catalog rows, and the models that ship with the gateway. */

import { lintProviderData } from '../../infra/catalog/lint-provider-data.ts';
import { seedRows } from '../../infra/catalog/seed.ts';
import { compareWithSeed, syncWithSeed } from '../../infra/catalog/sync.ts';
import type { LintedRow } from '../../lib/admin/catalog/lint.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { type Command, type CommandContext, UsageError, withInstallation } from '../command.ts';
import { jsonOption, writeListing } from '../listing.ts';
import { readJsonFile } from '../read-file.ts';
import { seenEverywhere } from './rows.ts';

const catalogLint: Command = {
  name: 'catalog lint',
  summary: 'Check catalog rows, or JSON files of rows',
  description: 'Lists every fault. Exit code 1 if there is one.',
  furtherArguments: 'file',
  options: {
    ...jsonOption,
    seed: { description: 'Check the models that ship with the gateway' },
  },
  examples: ['catalog lint', 'catalog lint my-models.json', 'catalog lint --seed'],
  async run({ arguments: files, flags, terminal, format, ...context }) {
    const rows = await rowsOf(files, flags.has('seed'), context);
    // The rows of a file may name a model that ships with the gateway.
    const others = files.length > 0 ? seedRows.map((row) => readModelRow(row)) : [];
    const { lintRows } = await import('../../lib/admin/catalog/lint.ts');
    const faults = lintRows(rows, others, await hostNames(rows, context));
    writeListing(
      { terminal, format },
      faults.map((fault) => ({ ...fault })),
      ['model', 'fault'],
    );
    // They are old, and not wrong: no fault.
    for (const warning of lintProviderData(Date.now())) terminal.writeError(warning);
    if (faults.length > 0) throw new Error(`${faults.length} faults in ${rows.length} rows.`);
    terminal.writeError(`No faults in ${rows.length} rows.`);
  },
};

async function rowsOf(
  files: readonly string[],
  seed: boolean,
  context: Pick<CommandContext, 'open'>,
): Promise<readonly LintedRow[]> {
  if (files.length > 0 && seed) throw new UsageError('Give either files or --seed, not both.');
  if (files.length > 0) return (await Promise.all(files.map(readRows))).flat();
  if (seed) return seedRows.map((row) => ({ row }));
  return await withInstallation(context, ({ catalog }) => catalog.list());
}

/** The hosts that the operator added, where a row names a provider that is not built in. */
async function hostNames(
  rows: readonly LintedRow[],
  context: Pick<CommandContext, 'open'>,
): Promise<readonly string[]> {
  const { namesUnknownProvider } = await import('../../lib/admin/catalog/lint.ts');
  if (!namesUnknownProvider(rows)) return [];
  const stored = await withInstallation(context, ({ hosts }) => hosts.list());
  return stored.map(({ name }) => name);
}

/** A file contains a list of rows, or one row. */
export async function readRows(path: string): Promise<readonly LintedRow[]> {
  return [await readJsonFile(path)].flat().map((row) => ({ row }));
}

const catalogSync: Command = {
  name: 'catalog sync',
  summary: 'Update the catalog to the models that ship with the gateway',
  description: 'Rows that an operator has written are not changed.',
  options: {
    ...jsonOption,
    'dry-run': { description: 'Show what would be written, and write nothing' },
  },
  examples: ['catalog sync --dry-run', 'catalog sync --stack ModelGateway'],
  async run({ flags, terminal, format, ...context }) {
    const isDry = flags.has('dry-run');
    const synced = await withInstallation(context, async ({ catalog }) =>
      isDry ? compareWithSeed(seedRows, await catalog.list()) : await syncWithSeed(catalog, seedRows),
    );
    // For people, only what differs.
    const shown = format === 'json' ? synced : synced.filter(({ state }) => state !== 'same');
    const rows = shown.map(({ id, state }) => ({ model: id, state }));
    writeListing({ terminal, format }, rows);
    const count = (...states: readonly string[]) =>
      synced.filter(({ state }) => states.includes(state)).length;
    const written = count('new', 'changed');
    terminal.writeError(
      `${isDry ? 'Would write' : 'Wrote'} ${written} rows; ${count('same')} unchanged, ${count('kept')} owned by the operator, ${count('left')} no longer shipped.${!isDry && written > 0 ? ` Changes take effect ${seenEverywhere}.` : ''}`,
    );
  },
};

export const seedCommands: readonly Command[] = [catalogLint, catalogSync];
