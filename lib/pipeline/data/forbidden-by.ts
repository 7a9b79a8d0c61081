/** Which targets a request must not be sent to because of what becomes of its content there. Loaded with the first that asks for it. */
import type { Call } from '../../core/endpoint.ts';
import { requireMayStore } from '../../core/may-store.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { dataPoliciesOf } from '../../core/tenancy.ts';
import { dataRule } from '../../routing/data-rule.ts';
import type { ForbiddenBy } from '../../routing/provider-preferences.ts';
import type { ModelTask } from '../model-task.ts';
import { keptFeatures } from './kept-features.ts';

/** Rejects with GatewayError `invalid_request` for a request that wants itself to be stored, where a policy forbids it. */
export async function forbiddenBy(
  { catalog }: { readonly catalog: Catalog },
  { preferences, generation }: Pick<ModelTask<unknown, unknown>, 'preferences' | 'generation'>,
  { key }: Pick<Call<unknown>, 'key'>,
): Promise<ForbiddenBy> {
  const policies = dataPoliciesOf(key);
  if (generation?.parameters.store) requireMayStore(key, 'store');
  const features = generation ? keptFeatures(generation) : [];
  return dataRule({ preferences, policies, features, own: await catalog.dataFacts?.() });
}
