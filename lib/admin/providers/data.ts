/** `PUT /admin/v1/providers/{provider}/data`: what a contract with a provider says of the content that it is sent. */
import type { AuditAuthor } from '../../core/accounting/audit.ts';
import { type ProviderData, providerData } from '../../core/catalog/provider-data.ts';
import type { HostStore } from '../../stores/catalog/hosts.ts';
import type { ProviderDataStore } from '../../stores/catalog/provider-data.ts';
import { type AuditParts, recordChange } from '../audit/record-change.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { findProvider } from './provider-states.ts';
import {
  type ProviderDataAnswer,
  type ProvidersDataAnswer,
  type ProvidersDataInput,
  providerPath,
  providersDataInput,
} from './schema.ts';
import { unknownProvider } from './store-setting.ts';

interface DataParts extends AuditParts {
  readonly hosts: Pick<HostStore, 'get'>;
  readonly providerData: ProviderDataStore;
}

export type GivenData = ProvidersDataInput & { readonly provider: string };

export const providersDataEndpoint = (parts: DataParts) =>
  endpointOf(parts, providerPath, providersDataInput, storeData);

/** Rejects with GatewayError `invalid_request` for an unknown provider. */
export async function storeData(
  parts: DataParts,
  by: AuditAuthor,
  { provider: name, ...input }: GivenData,
): Promise<ProvidersDataAnswer> {
  if (!(await findProvider(parts.hosts, name))) throw await unknownProvider(name);
  const data = readData(input);
  const before = await parts.providerData.set(name, data);
  await recordChange(parts, by, 'providers.data', {
    target: name,
    before: before && shownFacts(before),
    after: data ? shownFacts(data) : {},
  });
  return { object: 'provider.data', provider: name, ...dataRow(name, data ?? undefined) };
}

/** Null: nothing is given. */
function readData(input: ProvidersDataInput): ProviderData | null {
  const { retention_days, flagged_days, trains, zdr_features: features } = input;
  const data = {
    ...(retention_days != null && { retentionDays: retention_days }),
    ...(flagged_days != null && { flaggedDays: flagged_days }),
    ...(trains != null && { trains }),
    ...(features != null && { zdrFeatures: [...new Set(features)].toSorted() }),
  };
  return Object.keys(data).length > 0 ? data : null;
}

const shownFacts = ({ retentionDays, flaggedDays, trains, zdrFeatures }: ProviderData) => ({
  retention_days: retentionDays ?? null,
  flagged_days: flaggedDays ?? null,
  trains: trains ?? null,
  zdr_features: zdrFeatures ? [...zdrFeatures] : null,
});

/** What holds for a provider: what the operator says, else what it documents. */
export function dataRow(provider: string, own: ProviderData | undefined): ProviderDataAnswer {
  const documented = Object.hasOwn(providerData, provider) ? providerData[provider] : undefined;
  return {
    ...shownFacts({ ...documented, ...own }),
    contract: own ? shownFacts(own) : null,
    written_by: own ? 'operator' : 'seed',
    document: documented?.source ?? null,
    checked: documented?.checked ?? null,
  };
}
