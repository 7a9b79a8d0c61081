/**
 * Whether a request may cost nothing: a budget that is used up does not refuse what a model without a price for its input serves, nor
 * what is answered from the cache, nor a call with a key of the tenant's own.
 * Errs on the side of true.
 */

import type { z } from 'zod/mini';
import { tariffOf } from '../../core/accounting/pricing.ts';
import { type CacheWish, concernsCache } from '../../core/caching.ts';
import type { Model } from '../../core/catalog/model.ts';
import type { ModelEndpoint } from '../../core/catalog/model-endpoints.ts';
import type { Endpoint } from '../../core/endpoint.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { modelsMeant } from '../../routing/resolve-model.ts';

interface Asked {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly dryRun?: boolean;
  readonly cache?: CacheWish;
}

interface MayBeFreeParts {
  readonly catalog: Catalog;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** For the requests to an endpoint: of all its models, or of those that one request names. */
export function mayBeFree(
  { catalog, now }: MayBeFreeParts,
  endpoint: ModelEndpoint,
): NonNullable<Endpoint<z.core.$ZodType, Asked>['mayBeFree']> {
  return async (key, asked) => {
    const { tenantPolicy } = key;
    if (asked?.dryRun || concernsCache(key, asked?.cache) || tenantPolicy?.ownProviders) return true;
    const isFree = (model: Model) => {
      const tariff = tariffOf(tenantPolicy?.pricing, model.id, now() / 1000);
      if ('price' in tariff) return tariff.price.input <= 0;
      const prices = [model.prices, ...model.deployments.map((deployment) => deployment.prices ?? [])].flat();
      return tariff.markup <= freeMarkup || prices.some(({ price }) => price.input <= 0);
    };
    if (!asked)
      return (await catalog.list()).some((model) => model.endpoints.includes(endpoint) && isFree(model));
    const named = await Promise.all(
      [asked.model, ...asked.fallbacks].map((name) => modelsMeant(catalog, name)),
    );
    return named.some((models) => models === 'alias' || models.length === 0 || models.some(isFree));
  };
}

/** In hundredths of a percent. */
const freeMarkup = -10_000;
