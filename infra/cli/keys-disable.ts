/** `keys disable`: takes a key out of use for good. */
import { type Command, withInstallation } from './command.ts';

export const keysDisable: Command = {
  name: 'keys disable',
  summary: 'Disable an API key by its id. It stops working within ten seconds.',
  arguments: ['id'],
  options: {},
  async run({ arguments: [id = ''], terminal, ...context }) {
    const found = await withInstallation(context, ({ keys }) => keys.disable(id));
    if (!found) throw new Error(`There is no key ${id}. The ids are shown by: keys list`);
    terminal.write(`Disabled ${id}. It stops working within ten seconds.`);
  },
};
