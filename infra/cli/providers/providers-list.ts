/** `providers list`: which providers have credentials, and where they are stored. */
import { type ProviderState, providerStates } from '../../../lib/admin/providers/provider-states.ts';
import { type Command, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import type { Row } from '../output/rows.ts';

const show = (value: unknown) => (Array.isArray(value) ? value.join(', ') : '');

export const providersList: Command = {
  name: 'providers list',
  summary: 'List providers and where their credentials are stored',
  description:
    'Values are never shown. A provider that is not ready is answered by the sandbox on this machine.',
  arguments: [],
  options: jsonOption,
  examples: ['providers list', 'providers list --stack ModelGateway'],
  async run({ terminal, options, flags, ...context }) {
    const format = readFormat({ options, flags });
    const states = await withInstallation(context, providerStates);
    const rows = states.map(toRow);
    const columns = [
      { name: 'provider' },
      { name: 'ready', show: (value: unknown) => (value === true ? 'yes' : 'no') },
      { name: 'settings', show },
      { name: 'from', show },
      ...(rows.some(({ problem }) => problem !== null) ? [{ name: 'problem' }] : []),
    ];
    writeListing(terminal, { columns, rows }, format);
  },
};

const toRow = ({ provider, isReady, known, from, problem }: ProviderState): Row => ({
  provider: provider.name,
  ready: isReady,
  settings: known.flatMap(({ setting, fault }) => (fault === undefined ? [setting] : [])),
  from,
  problem,
});
