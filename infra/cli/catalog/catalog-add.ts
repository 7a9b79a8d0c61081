/** `catalog add`: adds models to the catalog from a file of rows, without a deployment. */
import { readModelRow } from '../../../lib/stores/catalog/model-row.ts';
import { lintRows } from '../../catalog/lint.ts';
import { type Command, UsageError, withInstallation } from '../command.ts';
import { ownedNow, seenEverywhere } from './catalog-change.ts';
import { readRows } from './catalog-lint.ts';

export const catalogAdd: Command = {
  name: 'catalog add',
  summary: 'Add or replace models from a JSON file of catalog rows',
  description: 'Writes nothing if a row has a fault.',
  arguments: ['file'],
  options: {},
  examples: ['catalog add my-models.json', 'catalog add my-models.json --stack ModelGateway'],
  async run({ arguments: [path = ''], terminal, ...context }) {
    const rows = await readRows(path);
    const ids = await withInstallation(context, async ({ catalog, hosts }) => {
      const models = (await catalog.list()).map(({ row }) => row);
      const names = (await hosts.list()).map(({ name }) => name);
      const [fault] = lintRows(rows, models.flatMap(readIfSound), names);
      if (fault) throw new UsageError(`${fault.model}: ${fault.fault}`);
      for (const { row } of rows) await catalog.put(row, { source: 'operator' });
      return rows.map(({ row }) => readModelRow(row).id);
    });
    for (const id of ids) terminal.write(`Stored ${id}. It takes effect ${seenEverywhere}.`);
    terminal.writeError(ownedNow);
  },
};

function readIfSound(row: unknown) {
  try {
    return [readModelRow(row, 'ignore')];
  } catch {
    return [];
  }
}
