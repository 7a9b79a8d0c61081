/** `keys show`: shows one key. */
import { type Command, withInstallation } from '../command.ts';
import { jsonOption } from '../output/listing.ts';
import { writeOne } from '../output/show.ts';
import { found } from '../tenants/holder.ts';
import { keyRow } from './key-row.ts';

export const keysShow: Command = {
  name: 'keys show',
  summary: 'Show the status, limits and permissions of an API key',
  arguments: ['id'],
  options: jsonOption,
  examples: ['keys show key_0123456789ab'],
  async run({ arguments: [id = ''], ...context }) {
    const key = await withInstallation(context, ({ keys }) => keys.find(id));
    writeOne(context, keyRow(found(key, 'key', id, 'keys')));
  },
};
