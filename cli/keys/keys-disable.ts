/** `keys disable`: disables a key permanently. */
import { disableKey } from '../../lib/admin/keys/write-key.ts';
import type { Command } from '../command.ts';
import { callSubject } from '../subjects.ts';

export const keysDisable: Command = {
  name: 'keys disable',
  summary: 'Disable an API key permanently',
  description: 'The key stops working within ten seconds.',
  arguments: ['id'],
  options: {},
  examples: ['keys disable key_0123456789ab'],
  async run({ arguments: [id = ''], terminal, ...context }) {
    await callSubject(context, disableKey, { key: id });
    terminal.write(`Disabled key ${id}. It stops working within ten seconds.`);
  },
};
