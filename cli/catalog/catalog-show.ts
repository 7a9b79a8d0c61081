/** `catalog show`: one row of the catalog, as JSON. */
import type { StoredRow } from '../../lib/stores/catalog/catalog.ts';
import { type Command, type Installation, withInstallation } from '../command.ts';
import { jsonOption } from '../output/listing.ts';

export const catalogShow: Command = {
  name: 'catalog show',
  summary: 'Show the catalog row of a model, as JSON',
  arguments: ['model'],
  options: jsonOption,
  examples: ['catalog show openai/gpt-5.5'],
  async run({ arguments: [id = ''], terminal, ...context }) {
    const { row, source } = await withInstallation(context, (installation) => findRow(installation, id));
    terminal.writeError(source === 'seed' ? 'Ships with the gateway.' : 'Written by an operator.');
    terminal.write(JSON.stringify(row, null, 2));
  },
};

/** Rejects if the model does not exist. */
export async function findRow({ catalog }: Pick<Installation, 'catalog'>, id: string): Promise<StoredRow> {
  const stored = await catalog.get(id);
  if (!stored) throw new Error(`Model not found: ${id}. List all models with: catalog list`);
  return stored;
}
