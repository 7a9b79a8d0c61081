/** `catalog lint`: tells every fault of the catalog's rows, wherever they are. */
import { readFile } from 'node:fs/promises';
import { readModelRow } from '../../../lib/stores/catalog/model-row.ts';
import { type LintedRow, lintRows } from '../../catalog/lint.ts';
import { seedRows } from '../../catalog/seed.ts';
import { type Command, type CommandContext, UsageError, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';

export const catalogLint: Command = {
  name: 'catalog lint',
  summary:
    'Check the rows of the catalog, or of JSON files, and tell every fault. Exit code 1 where there is one.',
  arguments: [],
  furtherArguments: 'file',
  options: {
    ...jsonOption,
    seed: { description: 'Check the models that ship with the gateway' },
  },
  async run({ arguments: files, flags, options, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const rows = await rowsOf(files, flags.has('seed'), context);
    // The rows of a file may name a model that ships with the gateway.
    const others = files.length > 0 ? seedRows.map((row) => readModelRow(row)) : [];
    const faults = lintRows(rows, others);
    writeListing(
      terminal,
      { columns: [{ name: 'model' }, { name: 'fault' }], rows: faults.map((fault) => ({ ...fault })) },
      format,
    );
    if (faults.length > 0) throw new Error(`${faults.length} faults in ${rows.length} rows.`);
    terminal.tell(`${rows.length} rows, no fault.`);
  },
};

async function rowsOf(
  files: readonly string[],
  seed: boolean,
  context: Pick<CommandContext, 'open'>,
): Promise<readonly LintedRow[]> {
  if (files.length > 0 && seed) throw new UsageError('Either files or --seed.');
  if (files.length > 0) return (await Promise.all(files.map(readRows))).flat();
  if (seed) return seedRows.map((row) => ({ row }));
  return await withInstallation(context, ({ catalog }) => catalog.list());
}

/** A file holds a list of rows, or one row. */
async function readRows(path: string): Promise<readonly LintedRow[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`The file ${path} cannot be read.`);
  });
  try {
    const parsed: unknown = JSON.parse(text);
    return [parsed].flat().map((row) => ({ row }));
  } catch {
    throw new Error(`The file ${path} is not JSON.`);
  }
}
