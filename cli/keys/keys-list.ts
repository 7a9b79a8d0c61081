/** `keys list`: lists keys, without their secrets. */
import { listKeys } from '../../lib/admin/keys/read-key.ts';
import { maxKeyPage } from '../../lib/admin/keys/schema.ts';
import type { Command } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import { showDay, showMinute } from '../output/show.ts';
import { listAll, withSubjects } from '../subjects.ts';
import { keyRow } from './key-row.ts';

const columns = [
  { name: 'id' },
  { name: 'tenant' },
  { name: 'created_at', show: showDay },
  { name: 'last_used_at', show: showMinute },
  { name: 'expires_at', show: showDay },
  { name: 'status' },
  { name: 'name' },
];

export const keysList: Command = {
  name: 'keys list',
  summary: 'List API keys, oldest first',
  description: 'Secrets are not stored and cannot be shown.',
  arguments: [],
  options: { tenant: { value: '<name>', description: 'Only keys of this tenant' }, ...jsonOption },
  examples: ['keys list', 'keys list --tenant acme --json'],
  async run({ terminal, options, flags, ...context }) {
    const format = readFormat({ options, flags });
    const { tenant } = options;
    const keys = await withSubjects(context, (call) =>
      listAll((after) => call(listKeys, { limit: maxKeyPage, after, tenant })),
    );
    const rows = keys.toReversed().map(keyRow);
    if (rows.length === 0) terminal.writeError('No keys found. Create one with: keys create --tenant <name>');
    writeListing(terminal, { columns, rows }, format);
  },
};
