/** `catalog sync`: brings the models that ship with the gateway into its catalog, without a deployment. */
import { seedRows } from '../../catalog/seed.ts';
import { compareWithSeed, syncWithSeed } from '../../catalog/sync.ts';
import { type Command, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import { seenEverywhere } from './catalog-change.ts';

export const catalogSync: Command = {
  name: 'catalog sync',
  summary:
    "Write the models that ship with the gateway into the catalog. Rows of the operator's own are kept as they are.",
  arguments: [],
  options: {
    ...jsonOption,
    'dry-run': { description: 'Tell what would be written, and write nothing' },
  },
  async run({ flags, options, terminal, ...context }) {
    const format = readFormat({ options, flags });
    const isDry = flags.has('dry-run');
    const synced = await withInstallation(context, async ({ catalog }) =>
      isDry ? compareWithSeed(seedRows, await catalog.list()) : await syncWithSeed(catalog, seedRows),
    );
    // A person wants to see what is not as it was.
    const told = format === 'json' ? synced : synced.filter(({ state }) => state !== 'same');
    const rows = told.map(({ id, state }) => ({ model: id, state }));
    writeListing(terminal, { columns: [{ name: 'model' }, { name: 'state' }], rows }, format);
    const count = (...states: readonly string[]) =>
      synced.filter(({ state }) => states.includes(state)).length;
    const written = count('new', 'changed');
    terminal.tell(
      `${isDry ? 'Would write' : 'Wrote'} ${written}; ${count('same')} are the same, ${count('kept')} are the operator's own, ${count('left')} are no longer in the seed.${!isDry && written > 0 ? ` It takes effect ${seenEverywhere}.` : ''}`,
    );
  },
};
