/**
 * The catalog as lines of batches see it: only deployments whose provider has a batch API with a known price, the cheapest first, at the
 * prices of batches. A deployment where nothing is kept, by the operator's contract, is not among them: a batch is kept until it is read.
 */
import { priceAt } from '../../core/accounting/price.ts';
import type { Deployment, Model } from '../../core/catalog/model.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import type { FindProviderAccess } from '../../core/ports/provider-access.ts';
import { batchPrices, priceFactorOf } from '../../metering/cost/batch-price.ts';
import type { Providers } from '../../providers/provider.ts';

interface NativeCatalogParts {
  readonly catalog: Catalog;
  readonly providers: Pick<Providers, 'load'>;
  readonly findAccess: FindProviderAccess;
  /** The names of the providers with a batch API. */
  readonly batchProviders: readonly string[];
  readonly now: () => number;
}

interface NativeCatalog extends Catalog {
  /** A batch's price in relation to the list price; null: not known. */
  factorOf(model: string, deployment: Pick<Deployment, 'provider' | 'region'>): Promise<number | null>;
}

export function createNativeCatalog(parts: NativeCatalogParts): NativeCatalog {
  const { catalog, now } = parts;
  /** By the row as the catalog has it: another one is made when that changes. */
  const known = new WeakMap<Model, Promise<Model>>();
  const nativeOf = (model: Model) => {
    const native = known.get(model) ?? withBatches(parts, model);
    known.set(model, native);
    return native;
  };
  return {
    ...catalog,
    async find(id) {
      const model = await catalog.find(id);
      return model && (await nativeOf(model));
    },
    async factorOf(id, { provider, region }) {
      const model = await catalog.find(id);
      const found = model?.deployments.find((one) => one.provider === provider && one.region === region);
      return model && found ? priceFactorOf({ model, deployment: found }, now() / 1_000) : null;
    },
  };
}

type Availability = 'real' | 'sandbox' | 'absent';

async function availabilityOf(
  { providers, findAccess }: NativeCatalogParts,
  name: string,
): Promise<Availability> {
  const provider = await providers.load(name).catch(() => undefined);
  const access = provider && (await findAccess(name).catch(() => undefined));
  if (!access || !provider?.isConfigured(access)) return 'absent';
  return access.sandbox ? 'sandbox' : 'real';
}

async function withBatches(parts: NativeCatalogParts, model: Model): Promise<Model> {
  const seconds = parts.now() / 1_000;
  const checked = await Promise.all(
    model.deployments.map(async (deployment) => ({
      deployment,
      is: await availabilityOf(parts, deployment.provider),
    })),
  );
  // The sandbox's text must not stand in place of an answer that a real provider would give.
  const best = checked.some(({ is }) => is === 'real') ? 'real' : 'sandbox';
  const priced = checked.flatMap(({ deployment, is }) => {
    const { equalToPrevious: _, ...own } = deployment;
    const prices = batchPrices(deployment.prices ?? model.prices);
    const price = priceAt(prices, seconds)?.price;
    const isUsed = is === best && parts.batchProviders.includes(deployment.provider);
    if (!price || !isUsed || deployment.retainsData === false) return [];
    // Lines rest at the provider until its batch is read.
    return [{ deployment: { ...own, prices, retainsData: true }, sum: price.input + price.output }];
  });
  const cheapestFirst = priced.toSorted((one, other) => one.sum - other.sum);
  return { ...model, deployments: cheapestFirst.map(({ deployment }) => deployment) };
}

/** The same catalog without some deployments, by their keys. */
export const catalogWithout = (
  catalog: Catalog,
  isLeftOut: (model: string, deployment: Deployment) => boolean,
): Catalog => ({
  ...catalog,
  async find(id) {
    const model = await catalog.find(id);
    if (!model) return undefined;
    return { ...model, deployments: model.deployments.filter((one) => !isLeftOut(model.id, one)) };
  },
});

/**
 * The same without the models of which a place is one that the tenant has credentials of its own for: their lines are single requests,
 * with these credentials.
 */
export const catalogWithoutOwn = (
  native: Catalog,
  whole: Catalog,
  isOwn: (provider: string) => Promise<boolean>,
): Catalog => ({
  ...native,
  async find(id) {
    const [model, row] = await Promise.all([native.find(id), whole.find(id)]);
    const own = await Promise.all((row?.deployments ?? []).map(({ provider }) => isOwn(provider)));
    return model && own.includes(true) ? { ...model, deployments: [] } : model;
  },
});

/** A catalog of one model: what a job was sent with. */
export const catalogOf = (model: Model): Catalog => ({
  find: async (id) => (id === model.id ? model : undefined),
  list: async () => [model],
  // Whatever it was called, an alias that has changed included.
  named: async () => ({ models: [model.id], alias: [{ model: model.id, weight: 1 }] }),
  aliases: async () => new Map(),
});
