/** `catalog lint`: reports every fault in catalog rows, from the table, from files or from the seed. */
import { type LintedRow, lintRows, namesUnknownProvider } from '../../infra/catalog/lint.ts';
import { seedRows } from '../../infra/catalog/seed.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { type Command, type CommandContext, UsageError, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import { readJsonFile } from '../read-file.ts';

export const catalogLint: Command = {
  name: 'catalog lint',
  summary: 'Check catalog rows, or JSON files of rows',
  description: 'Lists every fault. Exit code 1 if there is one.',
  arguments: [],
  furtherArguments: 'file',
  options: {
    ...jsonOption,
    seed: { description: 'Check the models that ship with the gateway' },
  },
  examples: ['catalog lint', 'catalog lint my-models.json', 'catalog lint --seed'],
  async run({ arguments: files, flags, options, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const rows = await rowsOf(files, flags.has('seed'), context);
    // The rows of a file may name a model that ships with the gateway.
    const others = files.length > 0 ? seedRows.map((row) => readModelRow(row)) : [];
    const faults = lintRows(rows, others, await hostNames(rows, context));
    writeListing(
      terminal,
      { columns: [{ name: 'model' }, { name: 'fault' }], rows: faults.map((fault) => ({ ...fault })) },
      format,
    );
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
  if (!namesUnknownProvider(rows)) return [];
  const stored = await withInstallation(context, ({ hosts }) => hosts.list());
  return stored.map(({ name }) => name);
}

/** A file contains a list of rows, or one row. */
export async function readRows(path: string): Promise<readonly LintedRow[]> {
  return [await readJsonFile(path)].flat().map((row) => ({ row }));
}
