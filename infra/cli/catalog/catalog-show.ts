/** `catalog show`: one row of the catalog as it is written. */
import type { StoredRow } from '../../../lib/stores/catalog/catalog.ts';
import { type Command, type Installation, withInstallation } from '../command.ts';

export const catalogShow: Command = {
  name: 'catalog show',
  summary: 'Show the row of a model as it is written, as JSON.',
  arguments: ['model'],
  options: {},
  async run({ arguments: [id = ''], terminal, ...context }) {
    const { row, source } = await withInstallation(context, (installation) => findRow(installation, id));
    terminal.tell(source === 'seed' ? 'Written by the seed.' : "Written by the gateway's operator.");
    terminal.write(JSON.stringify(row, null, 2));
  },
};

/** Rejects where there is no such model. */
export async function findRow({ catalog }: Pick<Installation, 'catalog'>, id: string): Promise<StoredRow> {
  const stored = await catalog.get(id);
  if (!stored) throw new Error(`There is no model ${id}. The models are shown by: catalog list`);
  return stored;
}
