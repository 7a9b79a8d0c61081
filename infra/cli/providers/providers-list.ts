/** `providers list`: which providers have credentials, and where they are stored. */
import { type Provider, settingsOf } from '../../../lib/providers/provider.ts';
import { toAccess } from '../../../lib/runtime/provider-access.ts';
import { missingSettings } from '../../provider-problems.ts';
import { type Command, withInstallation } from '../command.ts';
import { jsonOption, readFormat, writeListing } from '../output/listing.ts';
import type { Row } from '../output/rows.ts';
import { listProviders } from './operator-providers.ts';
import type { KnownSetting, ProviderSettings } from './provider-settings.ts';

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
    const rows = await withInstallation(context, async ({ settings, hosts }) => {
      const all = await listProviders(hosts);
      const known = await settings.list(distinctAccounts(all));
      return all.map((provider) => rowOf(provider, known, settings));
    });
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

/** Several providers may share one account. */
const distinctAccounts = (all: readonly Provider[]) => [
  ...new Map(all.map((provider) => [settingsOf(provider).account, settingsOf(provider)])).values(),
];

function rowOf(
  provider: Provider,
  known: readonly KnownSetting[],
  { awsCredentials }: ProviderSettings,
): Row {
  const all = known.filter(({ account }) => account === settingsOf(provider).account);
  const own = all.filter(({ fault }) => fault === undefined);
  // Whether a provider is configured does not depend on the values.
  const given = Object.fromEntries(own.map(({ setting }) => [setting, 'set']));
  const access = toAccess(given);
  const signed = { ...access, sign: neverSigns };
  const ready = provider.isConfigured(access);
  const byAws = !ready && awsCredentials !== undefined && provider.isConfigured(signed);
  return {
    provider: provider.name,
    ready: ready || byAws,
    settings: own.map(({ setting }) => setting),
    from: [...own.map(({ source }) => source), ...(byAws ? [awsCredentials] : [])],
    problem: ready || byAws ? null : problemOf(provider, all, given),
  };
}

function problemOf(
  provider: Provider,
  known: readonly KnownSetting[],
  given: Readonly<Record<string, string>>,
): string | null {
  const faulty = known.find(({ fault }) => fault !== undefined);
  if (faulty) return `${faulty.source} ${faulty.fault}`;
  const missing = missingSettings(provider, given);
  return missing.length === 0 ? null : `${missing.join(' or ')} is missing`;
}

const neverSigns = () => Promise.reject(new Error('This command signs nothing.'));
