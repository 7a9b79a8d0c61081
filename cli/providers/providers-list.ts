/** `providers list`: which providers have credentials, and where they are stored. */
import type { ProviderAnswer } from '../../lib/admin/providers/schema.ts';
import { callAdmin } from '../call-admin.ts';
import type { Command } from '../command.ts';
import type { Row } from '../output/listing.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';

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
    const { data } = await callAdmin(context, 'admin-providers-list', {});
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

const toRow = ({ id, configured, settings, sources, problem }: ProviderAnswer): Row => ({
  provider: id,
  ready: configured,
  settings: settings.flatMap(({ name, is_set, fault }) => (is_set && fault === null ? [name] : [])),
  from: sources,
  problem,
});
