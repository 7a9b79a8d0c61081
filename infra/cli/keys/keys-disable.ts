/** `keys disable`: takes a key out of use for good. */
import { type Command, withInstallation } from '../command.ts';
import { found } from '../tenants/holder.ts';

export const keysDisable: Command = {
  name: 'keys disable',
  summary: 'Disable an API key by its id, for good. It stops working within ten seconds.',
  arguments: ['id'],
  options: {},
  async run({ arguments: [id = ''], terminal, ...context }) {
    const isThere = await withInstallation(context, ({ keys }) => keys.disable(id));
    found(isThere || undefined, 'key', id, 'keys');
    terminal.write(`Disabled ${id}. It stops working within ten seconds.`);
  },
};
