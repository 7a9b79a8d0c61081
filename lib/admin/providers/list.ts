/** `GET /admin/v1/providers`: which providers are configured, where that was read, and how they did lately. Never a value. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { ProviderSettings } from '../../core/ports/provider-settings.ts';
import { settingsOf } from '../../providers/provider.ts';
import type { HostStore } from '../../stores/catalog/hosts.ts';
import { readModelRow } from '../../stores/catalog/model-row.ts';
import type { ProviderDataStore } from '../../stores/catalog/provider-data.ts';
import { healthOf, type Recent, readRecent } from '../health.ts';
import type { ModelParts } from '../models/list.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { dataRow } from './data.ts';
import { keyGuideOf } from './key-guide.ts';
import { type ProviderState, providerStates } from './provider-states.ts';
import { type ProviderAnswer, type ProvidersListAnswer, providersListQuery } from './schema.ts';

interface ProviderParts extends Pick<ModelParts, 'deploymentSums' | 'now' | 'warn'> {
  readonly models: Pick<ModelParts['models'], 'list'>;
  readonly hosts: Pick<HostStore, 'list'>;
  readonly settings: ProviderSettings;
  readonly providerData: Pick<ProviderDataStore, 'all'>;
}

export const providersListEndpoint = (parts: ProviderParts) =>
  endpointOf(parts, providersListQuery, nothing, listEveryProvider);

/** Every provider. */
export async function listEveryProvider(parts: ProviderParts): Promise<ProvidersListAnswer> {
  const { models, deploymentSums, now, warn } = parts;
  const [states, rows, own, recent] = await Promise.all([
    providerStates(parts),
    models.list(),
    parts.providerData.all(),
    readRecent(deploymentSums, now(), warn),
  ]);
  const served = rows.map(({ row }) => providersOf(row));
  const countOf = (name: string) => served.filter((names) => names.has(name)).length;
  const data = states.map((state) => {
    const { name } = state.provider;
    return { ...write(state, countOf(name), recent), data: dataRow(name, own[name]) };
  });
  return { object: 'list', data, has_more: false, next_after: null };
}

/** None for a row that cannot be used. */
function providersOf(row: unknown): ReadonlySet<string> {
  try {
    return new Set(readModelRow(row, 'ignore').deployments.map(({ provider }) => provider));
  } catch {
    return new Set();
  }
}

function write(
  state: ProviderState,
  models: number,
  recent: Recent | undefined,
): Omit<ProviderAnswer, 'data'> {
  const { provider, kind, isReady, known, from, problem } = state;
  const { account, settings } = settingsOf(provider);
  const { name, how, url } = keyGuideOf(provider.name);
  // Any provider may have a base URL, also one that does not list it.
  const names = [...new Set([...settings, ...known.map(({ setting }) => setting)])];
  return {
    object: 'provider',
    id: provider.name,
    name,
    kind,
    configured: isReady,
    sources: [...from],
    problem,
    account,
    settings: names.map((setting) => {
      const found = known.find((one) => one.setting === setting);
      return {
        name: setting,
        is_set: found !== undefined,
        can_be_stored: settings.includes(setting),
        source: found?.source ?? null,
        stored_at: found?.storedAt ?? null,
        fault: found?.fault ?? null,
      };
    }),
    key: { how, url },
    models,
    health: healthOf(recent, (sum) => sum.provider === provider.name),
  };
}
