/** `providers list`: which providers have credentials, and where they are stored. */
import { listEveryProvider } from '../../lib/admin/providers/list.ts';
import type { ProviderAnswer } from '../../lib/admin/providers/schema.ts';
import { callAdmin, operation } from '../call-admin.ts';
import { type Command, type Installation, withInstallation } from '../command.ts';
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
    const { data } = await withInstallation(context, (installation) =>
      callAdmin(installation, providers, {}),
    );
    const rows = data.map(toRow);
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

/** How many models a provider serves is not shown. */
const providers = operation('admin-providers-list', ({ settings, hosts, now }: Installation) =>
  listEveryProvider({ settings, hosts, now, models: { list: async () => [] }, warn: () => {} }),
);

const toRow = ({ id, configured, settings, sources, problem }: ProviderAnswer): Row => ({
  provider: id,
  ready: configured,
  settings: settings.flatMap(({ name, is_set, fault }) => (is_set && fault === null ? [name] : [])),
  from: sources,
  problem,
});
