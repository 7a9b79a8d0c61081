/** `catalog add`: adds models to the catalog from a file of rows, without a deployment. */
import type { Model } from '../../../lib/core/model.ts';
import { namesOf } from '../../../lib/core/names.ts';
import { readModelRow } from '../../../lib/stores/catalog/model-row.ts';
import type { NameStore } from '../../../lib/stores/catalog/names.ts';
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
    const { ids, shared } = await withInstallation(context, async ({ catalog, hosts }) => {
      const models = (await catalog.list()).map(({ row }) => row);
      const names = (await hosts.list()).map(({ name }) => name);
      const [fault] = lintRows(rows, models.flatMap(readIfSound), names);
      if (fault) throw new UsageError(`${fault.model}: ${fault.fault}`);
      for (const { row } of rows) await catalog.put(row, { source: 'operator' });
      const added = rows.map(({ row }) => readModelRow(row));
      return { ids: added.map(({ id }) => id), shared: await sharedNames(catalog.names, added) };
    });
    for (const id of ids) terminal.write(`Stored ${id}. It takes effect ${seenEverywhere}.`);
    terminal.writeError(ownedNow);
    for (const name of shared) {
      terminal.writeError(
        `Several models are named ${name} now: callers must use an id, unless you give the name to one with catalog set-alias.`,
      );
    }
  },
};

/** The names without an owner that other models have too, and that are no alias. */
async function sharedNames(names: NameStore, added: readonly Model[]): Promise<readonly string[]> {
  const [seed, operator] = await Promise.all([names.get('seed'), names.get('operator')]);
  return added.flatMap(namesOf).filter((name) => {
    const ids = [seed, operator].flatMap(({ models }) => models.get(name) ?? []);
    return new Set(ids).size > 1 && !operator.aliases.has(name);
  });
}

function readIfSound(row: unknown) {
  try {
    return [readModelRow(row, 'ignore')];
  } catch {
    return [];
  }
}
