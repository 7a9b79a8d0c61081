/** `providers list-hosts`: the OpenAI-compatible hosts that the operator added. */
import { isJsonObject } from '../../lib/core/formats/json-object.ts';
import { type Command, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';

const sources = { command: 'providers add-host', file: 'hosts file' } as const;

export const providersListHosts: Command = {
  name: 'providers list-hosts',
  summary: 'List the OpenAI-compatible hosts that you added',
  description: 'With --json, whole rows. The built-in hosts are in `providers list`.',
  arguments: [],
  options: jsonOption,
  examples: ['providers list-hosts', 'providers list-hosts --json --stack ModelGateway'],
  async run({ terminal, options, flags, ...context }) {
    const format = readFormat({ options, flags });
    const stored = await withInstallation(context, ({ hosts }) => hosts.list());
    const rows = stored.map(({ name, source, row }) => ({
      host: name,
      base_url: isJsonObject(row) ? row.baseUrl : null,
      from: sources[source],
      row,
    }));
    const columns = [{ name: 'host' }, { name: 'base_url' }, { name: 'from' }];
    writeListing(terminal, { columns, rows }, format);
  },
};
