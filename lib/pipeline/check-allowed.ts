/** Refuses a model that does not exist, or that the caller may not use, before costly work. The plan checks every model again, also those of aliases. */
import { isServed } from '../core/catalog/model.ts';
import { type Call, unknownModel } from '../core/endpoint.ts';
import type { Catalog } from '../core/ports/catalog.ts';
import { allowsModel } from '../core/tenancy.ts';
import { type NamedModels, namesIn } from '../routing/plan.ts';
import { ambiguous, modelsMeant, notAllowed } from '../routing/resolve-model.ts';

/** Rejects with GatewayError as the plan would. An alias is left to it: what it means depends on the whole request. */
export async function checkAllowed(
  { catalog }: { readonly catalog: Catalog },
  asked: NamedModels,
  { key, facts }: Pick<Call<unknown>, 'key' | 'facts'>,
): Promise<void> {
  const isAllowed = allowedModels(key);
  for (const { name, param } of namesIn(asked)) {
    const models = await modelsMeant(catalog, name);
    if (models === 'alias') continue;
    const [model] = models;
    if (param === 'model') {
      facts.requestedModel = name;
      facts.model = model?.id ?? unknownModel;
    }
    if (models.length > 1) throw ambiguous(name, models, param);
    if (!model || !isServed(model)) {
      const { modelNotFound } = await import('../routing/model-not-found.ts');
      throw await modelNotFound(catalog, name, model, param);
    }
    if (!isAllowed(model.id)) throw notAllowed(model.id, param);
  }
}

/** Whether a caller may use a model, by its id. */
export function allowedModels(key: Call<unknown>['key']): (id: string) => boolean {
  const { keyPolicy = {}, tenantPolicy = {} } = key ?? {};
  return (id) => allowsModel(keyPolicy, id) && allowsModel(tenantPolicy, id);
}
