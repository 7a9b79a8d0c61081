/** Which targets a request must not be sent to because of what becomes of its content there. Loaded with the first that asks for it. */
import type { Call } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { requireMayStore } from '../../core/may-store.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { dataPoliciesOf } from '../../core/tenancy.ts';
import { dataRule } from '../../routing/data-rule.ts';
import type { Skipped } from '../../routing/deployments.ts';
import type { PlanRequest } from '../../routing/plan.ts';
import type { ModelTask } from '../model-task.ts';
import { keptFeatures } from './kept-features.ts';

/** Rejects with GatewayError `invalid_request` for a request that wants itself to be stored, where a policy forbids it. */
export async function readWishes(
  { catalog }: { readonly catalog: Catalog },
  { preferences, generation }: Pick<ModelTask<unknown, unknown>, 'preferences' | 'generation'>,
  { key }: Pick<Call<unknown>, 'key'>,
): Promise<Required<Pick<PlanRequest, 'forbiddenBy' | 'refusalOf'>>> {
  const policies = dataPoliciesOf(key);
  if (generation?.parameters.store) requireMayStore(key, 'store');
  const features = generation ? keptFeatures(generation) : [];
  const own = await catalog.dataFacts?.();
  return { forbiddenBy: dataRule({ preferences, policies, features, own }), refusalOf };
}

/** By the data policy of the key or its tenant, or because of a part of the request; undefined: by `provider` alone. */
function refusalOf({ target, reason }: Skipped): GatewayError | undefined {
  const [field = reason, part] = reason.split(':');
  const isPolicy = field.startsWith('data_policy');
  if (!isPolicy && part === undefined) return undefined;
  const whose = isPolicy ? `the data policy of this API key, '${field}'` : `'${field}'`;
  const taking = part === undefined ? '' : ` that takes '${part}', which may make the provider keep data,`;
  const message = `No deployment of the model '${target.model.id}'${taking} complies with ${whose}.`;
  const code = isPolicy ? 'data_policy' : undefined;
  return new GatewayError('invalid_request', message, { param: part ?? 'model', code });
}
