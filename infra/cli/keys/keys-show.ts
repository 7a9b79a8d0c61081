/** `keys show`: shows all that is known of one key. */
import { type Command, withInstallation } from '../command.ts';
import { jsonOption } from '../output/listing.ts';
import { writeOne } from '../output/show.ts';
import { found } from '../tenants/holder.ts';
import { keyRow } from './key-row.ts';

export const keysShow: Command = {
  name: 'keys show',
  summary: 'Show one API key by its id: its state, its limits, and what it may be used for.',
  arguments: ['id'],
  options: jsonOption,
  async run({ arguments: [id = ''], ...context }) {
    const key = await withInstallation(context, ({ keys }) => keys.find(id));
    writeOne(context, keyRow(found(key, 'key', id, 'keys')));
  },
};
