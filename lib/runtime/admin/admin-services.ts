/** What the dashboard's operations on models and providers need beside the parts of all others. */
import type { ModelParts } from '../../admin/models/list.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import { createCachedReader } from '../../stores/cached-reader.ts';
import { createProviderDataStore, type ProviderDataStore } from '../../stores/catalog/provider-data.ts';
import { createDeploymentSums } from '../../stores/usage/deployment-sums.ts';
import type { AdminRuntime } from './admin-runtime.ts';

/** How long rows of the catalog are shown to tenants without being read again. */
const freshMs = 10_000;

export function modelParts({ models, tenants, foundation }: AdminRuntime): ModelParts {
  const { now, log } = foundation;
  const options = { now, freshMs, graceMs: freshMs, size: 1 };
  const rows = createCachedReader({ ...options, load: () => models.list() });
  const names = createCachedReader({ ...options, load: () => models.names.get('operator') });
  return {
    models: {
      list: async (isFresh) => (isFresh ? await models.list() : ((await rows('all')) ?? [])),
      aliases: async (isFresh) =>
        (isFresh ? await models.names.get('operator') : await names('all'))?.aliases ?? new Map(),
    },
    tenants,
    deploymentSums: createDeploymentSums({ ...foundation.table('usage'), now }),
    now,
    warn: (cause) => log.warn('sums of deployments not read', { ...failureFields(cause) }),
  };
}

/** What the operator says of providers. */
export const providerDataOf = ({ foundation }: AdminRuntime): ProviderDataStore =>
  createProviderDataStore(foundation.table('catalog'));
