/** Which providers of an installation are ready, from the names of the settings that are stored. */
import type { KnownSetting, ProviderSettings } from '../../core/ports/provider-settings.ts';
import { toAccess } from '../../core/provider-settings.ts';
import { type Provider, settingsOf } from '../../providers/provider.ts';
import { missingSettings } from '../../providers/provider-problems.ts';
import type { HostStore } from '../../stores/catalog/hosts.ts';
import { type FoundProvider, listProviders } from './every-provider.ts';

export interface ProviderState extends FoundProvider {
  readonly isReady: boolean;
  /** Those of its account that are stored, also with a value that cannot work. */
  readonly known: readonly KnownSetting[];
  /** Where those are stored by which it is ready. */
  readonly from: readonly string[];
  /** Why it is not ready although something is set. */
  readonly problem: string | null;
}

export async function providerStates({
  settings,
  hosts,
}: {
  readonly settings: ProviderSettings;
  readonly hosts: Pick<HostStore, 'list'>;
}): Promise<readonly ProviderState[]> {
  const all = await listProviders(hosts);
  const known = await settings.list(distinctAccounts(all));
  return all.map((found) => stateOf(found, known, settings));
}

/** Several providers may share one account. */
const distinctAccounts = (all: readonly FoundProvider[]) => [
  ...new Map(all.map(({ provider }) => [settingsOf(provider).account, settingsOf(provider)])).values(),
];

function stateOf(
  found: FoundProvider,
  everyKnown: readonly KnownSetting[],
  { awsCredentials }: ProviderSettings,
): ProviderState {
  const { provider } = found;
  const known = everyKnown.filter(({ account }) => account === settingsOf(provider).account);
  const working = known.filter(({ fault }) => fault === undefined);
  // Whether a provider is configured does not depend on the values.
  const given = Object.fromEntries(working.map(({ setting }) => [setting, 'set']));
  const access = toAccess(given);
  const byKey = provider.isConfigured(access);
  const byAws =
    !byKey && awsCredentials !== undefined && provider.isConfigured({ ...access, sign: neverSigns });
  return {
    ...found,
    isReady: byKey || byAws,
    known,
    from: [...working.map(({ source }) => source), ...(byAws ? [awsCredentials] : [])],
    problem: byKey || byAws ? null : problemOf(provider, known, given),
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

const neverSigns = () => Promise.reject(new Error('Nothing is signed to list providers.'));
