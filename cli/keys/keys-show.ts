/** `keys show`: shows one key. */
import { retrieveKey } from '../../lib/admin/keys/read-key.ts';
import type { Command } from '../command.ts';
import { jsonOption } from '../output/listing.ts';
import { writeOne } from '../output/show.ts';
import { callSubject } from '../subjects.ts';
import { keyRow } from './key-row.ts';

export const keysShow: Command = {
  name: 'keys show',
  summary: 'Show the status, limits and permissions of an API key',
  arguments: ['id'],
  options: jsonOption,
  examples: ['keys show key_0123456789ab'],
  async run({ arguments: [id = ''], ...context }) {
    writeOne(context, keyRow(await callSubject(context, retrieveKey, { key: id })));
  },
};
