/** `catalog list-aliases` and `catalog remove-alias`: the names that the operator gave to models. */
import { type Command, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import { writeTargets } from './alias-targets.ts';
import { seenEverywhere } from './catalog-change.ts';

export const catalogListAliases: Command = {
  name: 'catalog list-aliases',
  summary: 'List the names that you gave to models',
  description: 'The names that come with models, such as dated snapshots, are in `catalog show`.',
  arguments: [],
  options: jsonOption,
  examples: ['catalog list-aliases', 'catalog list-aliases --json --stack ModelGateway'],
  async run({ terminal, options, flags, ...context }) {
    const { aliases } = await withInstallation(context, ({ catalog }) => catalog.names.get('operator'));
    const rows = [...aliases]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([alias, targets]) => ({ alias, targets: writeTargets(targets) }));
    const columns = [{ name: 'alias' }, { name: 'targets' }];
    writeListing(terminal, { columns, rows }, readFormat({ options, flags }));
  },
};

export const catalogRemoveAlias: Command = {
  name: 'catalog remove-alias',
  summary: 'Remove a name that you gave to models',
  arguments: ['name'],
  options: {},
  examples: ['catalog remove-alias fast'],
  async run({ arguments: [name = ''], terminal, ...context }) {
    const removed = await withInstallation(context, ({ catalog }) => catalog.names.setAlias(name, undefined));
    if (!removed) throw new Error(`No alias is named ${name}. List all with: catalog list-aliases`);
    terminal.write(`Removed ${name}. It takes effect ${seenEverywhere}.`);
  },
};
