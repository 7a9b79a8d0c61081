/** Which targets a request must not be sent to because of what becomes of its content there. Loaded with the first that asks for it. */
import type { Model, Target } from '../../core/catalog/model.ts';
import type { Call } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { requireMayStore } from '../../core/may-store.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { dataPoliciesOf } from '../../core/tenancy.ts';
import { dataRule } from '../../routing/data-rule.ts';
import type { Skipped } from '../../routing/deployments.ts';
import type { PlanRequest } from '../../routing/plan.ts';
import type { ForbiddenBy } from '../../routing/provider-preferences.ts';
import type { ModelTask } from '../model-task.ts';
import { keptFeatures } from './kept-features.ts';

/** Rejects with GatewayError `invalid_request` for a request that wants itself to be stored, where a policy forbids it. */
export async function readWishes(
  { catalog }: { readonly catalog: Catalog },
  { preferences, generation, alsoCalls }: Pick<ModelTask<unknown, unknown>, AskedOf>,
  { key }: Pick<Call<unknown>, 'key'>,
): Promise<Required<Pick<PlanRequest, 'forbiddenBy' | 'refusalOf'>>> {
  const policies = dataPoliciesOf(key);
  if (generation?.parameters.store) requireMayStore(key, 'store');
  const features = generation ? keptFeatures(generation) : [];
  const own = await catalog.dataFacts?.();
  const rule = dataRule({ preferences, policies, features, own });
  const others = (alsoCalls?.() ?? []).map(async ({ model, param }) => ({
    model: await catalog.find(model),
    param,
  }));
  const { inference_geo: place } = generation?.original?.body ?? {};
  return { forbiddenBy: withOthers(rule, await Promise.all(others), place), refusalOf };
}

type AskedOf = 'preferences' | 'generation' | 'alsoCalls';

interface AlsoCalled {
  readonly model: Model | undefined;
  readonly param: string;
}

/** The same for what the provider may do on its own: call another model, or process the request in another place. */
function withOthers(rule: ForbiddenBy, others: readonly AlsoCalled[], place: unknown): ForbiddenBy {
  const because = (reason: string | undefined, param: string) => reason && `${reason.split(':')[0]}:${param}`;
  return (target) => {
    const { deployment } = target;
    const reason = rule(target);
    if (reason !== undefined) return reason;
    const moved = { ...target, deployment: { ...deployment, regions: [`${place}`] } };
    const elsewhere = place == null ? undefined : because(rule(moved), 'inference_geo');
    if (elsewhere !== undefined) return elsewhere;
    const refused = others.find(({ model }) => rule(calledBeside(target, model)) !== undefined);
    return refused && because(rule(calledBeside(target, refused.model)), refused.param);
  };
}

/** Of a model that the catalog does not know there, no more is known than of the latest of its provider. */
function calledBeside({ model, deployment, ...target }: Target, other: Model | undefined): Target {
  const { provider, region } = deployment;
  const own = other?.deployments.find((one) => one.provider === provider && one.region === region);
  return {
    ...target,
    model: other ?? { ...model, created: Number.POSITIVE_INFINITY },
    deployment: own ?? { provider, region, upstreamId: '' },
  };
}

/** By the data policy of the key or its tenant, or because of a part of the request; undefined: by `provider` alone. */
function refusalOf({ target, reason }: Skipped): GatewayError | undefined {
  const [field = reason, part] = reason.split(':');
  const isPolicy = field.startsWith('data_policy');
  if (!isPolicy && part === undefined) return undefined;
  const whose = isPolicy ? `the data policy of this API key, '${field}'` : `'${field}'`;
  const keeping = field.endsWith('zdr') ? ', which may make the provider keep data,' : '';
  const taking = part === undefined ? '' : ` that takes '${part}'${keeping}`;
  const message = `No deployment of the model '${target.model.id}'${taking} complies with ${whose}.`;
  const code = isPolicy ? 'data_policy' : undefined;
  return new GatewayError('invalid_request', message, { param: part ?? 'model', code });
}
