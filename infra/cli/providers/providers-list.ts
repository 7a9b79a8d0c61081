/** `providers list`: which providers the gateway can call, and where what it calls them with comes from. */
import { type Provider, settingsOf } from '../../../lib/providers/provider.ts';
import { toAccess } from '../../../lib/runtime/provider-access.ts';
import { providers } from '../../all-providers.ts';
import { type Command, withInstallation } from '../command.ts';
import { jsonOption, type Row, readFormat, writeListing } from '../output/listing.ts';
import type { KnownSetting, ProviderSettings } from './provider-settings.ts';

const show = (value: unknown) => (Array.isArray(value) ? value.join(', ') : '');

export const providersList: Command = {
  name: 'providers list',
  summary: 'List the providers: which have credentials, and where these come from. Never what they are.',
  arguments: [],
  options: jsonOption,
  async run({ terminal, options, flags, ...context }) {
    const format = readFormat({ options, flags });
    const all: readonly Provider[] = [...providers.values()];
    const rows = await withInstallation(context, async ({ settings }) => {
      const known = await settings.list(distinctAccounts(all));
      return all.map((provider) => rowOf(provider, known, settings));
    });
    const columns = [
      { name: 'provider' },
      { name: 'ready', show: (value: unknown) => (value === true ? 'yes' : 'no') },
      { name: 'settings', show },
      { name: 'from', show },
    ];
    writeListing(terminal, { columns, rows }, format);
  },
};

/** Some providers are one account under several wires. */
const distinctAccounts = (all: readonly Provider[]) => [
  ...new Map(all.map((provider) => [settingsOf(provider).account, settingsOf(provider)])).values(),
];

function rowOf(
  provider: Provider,
  known: readonly KnownSetting[],
  { awsCredentials }: ProviderSettings,
): Row {
  const own = known.filter(({ account }) => account === settingsOf(provider).account);
  // What a setting is makes no difference to whether it is there.
  const access = toAccess(Object.fromEntries(own.map(({ setting }) => [setting, 'set'])));
  const signed = { ...access, sign: neverSigns };
  const ready = provider.isConfigured(access);
  const byAws = !ready && awsCredentials !== undefined && provider.isConfigured(signed);
  return {
    provider: provider.name,
    ready: ready || byAws,
    settings: own.map(({ setting }) => setting),
    from: [...own.map(({ source }) => source), ...(byAws ? [awsCredentials] : [])],
  };
}

const neverSigns = () => Promise.reject(new Error('Nothing is signed here.'));
