/** The providers of an installation, and which are ready by the names of the settings that are stored. */
import type { KnownSetting, ProviderSettings } from '../../core/ports/provider-settings.ts';
import { toAccess } from '../../core/provider-settings.ts';
import { operatorProvider, readHostRow } from '../../providers/hosts/operator-hosts.ts';
import { type Provider, settingsOf } from '../../providers/provider.ts';
import { missingSettings } from '../../providers/provider-problems.ts';
import { loadAllProviders } from '../../providers/registry.ts';
import type { HostStore, StoredHost } from '../../stores/catalog/hosts.ts';

interface FoundProvider {
  readonly provider: Provider;
  readonly kind: 'built_in' | 'added';
}

/** Those that ship with the gateway first. A host whose row cannot be used is left out. */
async function listProviders(hosts: Pick<HostStore, 'list'>): Promise<readonly FoundProvider[]> {
  const [builtIn, stored] = await Promise.all([loadAllProviders(), hosts.list()]);
  return [
    ...[...builtIn.values()].map((provider) => ({ provider, kind: 'built_in' as const })),
    ...stored.flatMap((host) => {
      const provider = toProvider(host);
      return provider ? [{ provider, kind: 'added' as const }] : [];
    }),
  ];
}

/** Undefined where there is none, or its row cannot be used. The table is read only for a name that is not built in. */
export async function findProvider(
  hosts: Pick<HostStore, 'get'>,
  name: string,
): Promise<Provider | undefined> {
  const builtIn = (await loadAllProviders()).get(name);
  if (builtIn) return builtIn;
  const stored = await hosts.get(name);
  return stored && toProvider(stored);
}

function toProvider({ row }: StoredHost): Provider | undefined {
  try {
    return operatorProvider(readHostRow(row, 'ignore'));
  } catch {
    return undefined;
  }
}

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
