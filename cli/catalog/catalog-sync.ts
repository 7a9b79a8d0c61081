/** `catalog sync`: writes the models that ship with the gateway into its catalog, without a deployment. */
import { seedRows } from '../../infra/catalog/seed.ts';
import { compareWithSeed, syncWithSeed } from '../../infra/catalog/sync.ts';
import { type Command, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import { seenEverywhere } from './catalog-change.ts';

export const catalogSync: Command = {
  name: 'catalog sync',
  summary: 'Update the catalog to the models that ship with the gateway',
  description: 'Rows that an operator has written are not changed.',
  arguments: [],
  options: {
    ...jsonOption,
    'dry-run': { description: 'Show what would be written, and write nothing' },
  },
  examples: ['catalog sync --dry-run', 'catalog sync --stack ModelGateway'],
  async run({ flags, options, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const isDry = flags.has('dry-run');
    const synced = await withInstallation(context, async ({ catalog }) =>
      isDry ? compareWithSeed(seedRows, await catalog.list()) : await syncWithSeed(catalog, seedRows),
    );
    // For people, only what differs.
    const shown = format === 'json' ? synced : synced.filter(({ state }) => state !== 'same');
    const rows = shown.map(({ id, state }) => ({ model: id, state }));
    writeListing(terminal, { columns: [{ name: 'model' }, { name: 'state' }], rows }, format);
    const count = (...states: readonly string[]) =>
      synced.filter(({ state }) => states.includes(state)).length;
    const written = count('new', 'changed');
    terminal.writeError(
      `${isDry ? 'Would write' : 'Wrote'} ${written} rows; ${count('same')} unchanged, ${count('kept')} owned by the operator, ${count('left')} no longer shipped.${!isDry && written > 0 ? ` Changes take effect ${seenEverywhere}.` : ''}`,
    );
  },
};
