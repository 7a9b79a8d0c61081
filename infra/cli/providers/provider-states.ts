/** Which providers of an installation are ready, from the names of the settings that are stored. */
import { type Provider, settingsOf } from '../../../lib/providers/provider.ts';
import { toAccess } from '../../../lib/runtime/provider-access.ts';
import { missingSettings } from '../../provider-problems.ts';
import type { Installation } from '../command.ts';
import { listProviders } from './operator-providers.ts';
import type { KnownSetting, ProviderSettings } from './provider-settings.ts';

export interface ProviderState {
  readonly provider: string;
  readonly ready: boolean;
  /** The names of those that are stored. */
  readonly settings: readonly string[];
  /** Where they are stored. */
  readonly from: readonly string[];
  /** Why it is not ready. */
  readonly problem: string | null;
}

export async function providerStates({
  settings,
  hosts,
}: Pick<Installation, 'settings' | 'hosts'>): Promise<readonly ProviderState[]> {
  const all = await listProviders(hosts);
  const known = await settings.list(distinctAccounts(all));
  return all.map((provider) => stateOf(provider, known, settings));
}

/** Several providers may share one account. */
const distinctAccounts = (all: readonly Provider[]) => [
  ...new Map(all.map((provider) => [settingsOf(provider).account, settingsOf(provider)])).values(),
];

function stateOf(
  provider: Provider,
  known: readonly KnownSetting[],
  { awsCredentials }: ProviderSettings,
): ProviderState {
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
