/** Refuses a model that the caller may not use before costly work. The plan checks every model again, also those of aliases. */
import type { Call } from '../core/endpoint.ts';
import type { Catalog } from '../core/ports/catalog.ts';
import { allowsModel } from '../core/tenancy.ts';
import { isServed } from '../routing/model-not-found.ts';
import { type NamedModels, namesIn } from '../routing/plan.ts';
import { modelsMeant, notAllowed } from '../routing/resolve-model.ts';

/** Rejects with GatewayError `permission_denied`. An alias is left to the plan: what it means depends on the whole request. */
export async function checkAllowed(
  { catalog }: { readonly catalog: Catalog },
  asked: NamedModels,
  { key, facts }: Pick<Call<unknown>, 'key' | 'facts'>,
): Promise<void> {
  const isAllowed = allowedModels(key);
  for (const { name, param } of namesIn(asked)) {
    const [model, ...others] = await modelsMeant(catalog, name);
    if (!model) continue;
    if (param === 'model') {
      facts.requestedModel = name;
      facts.model = model.id;
    }
    if (others.length > 0 || !isServed(model)) continue;
    if (!isAllowed(model.id)) throw notAllowed(model.id, param);
  }
}

/** Whether a caller may use a model, by its id. */
export function allowedModels(key: Call<unknown>['key']): (id: string) => boolean {
  const { keyPolicy = {}, tenantPolicy = {} } = key ?? {};
  return (id) => allowsModel(keyPolicy, id) && allowsModel(tenantPolicy, id);
}
