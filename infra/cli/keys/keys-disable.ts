/** `keys disable`: disables a key permanently. */
import { type Command, withInstallation } from '../command.ts';
import { found } from '../tenants/holder.ts';

export const keysDisable: Command = {
  name: 'keys disable',
  summary: 'Disable an API key permanently',
  description: 'The key stops working within ten seconds.',
  arguments: ['id'],
  options: {},
  examples: ['keys disable key_0123456789ab'],
  async run({ arguments: [id = ''], terminal, ...context }) {
    const isKnown = await withInstallation(context, ({ keys }) => keys.disable(id));
    found(isKnown || undefined, 'key', id, 'keys');
    terminal.write(`Disabled key ${id}. It stops working within ten seconds.`);
  },
};
