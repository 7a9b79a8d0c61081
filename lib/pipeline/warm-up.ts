/**
 * Work that is started while the caller's key is looked up: the model's row, and whatever is needed to call the provider that
 * is likely to serve it.
 */
import type { Catalog } from '../core/ports/catalog.ts';
import { type Providers, rootOf } from '../providers/provider.ts';
import type { Connections } from './use/account.ts';

interface WarmUpParts {
  readonly catalog: Catalog;
  readonly providers: Providers;
  readonly connections: Pick<Connections, 'findAccess' | 'preconnect'>;
}

interface Asked {
  readonly model: string;
  readonly dryRun?: boolean;
}

/** Starts the catalog reads that every plan begins with; the plan shares them and reports their failure. */
export function warmUp(parts: WarmUpParts, { model, dryRun }: Asked): void {
  // Nothing will be sent.
  if (dryRun) return;
  if (model.includes('/')) warmUpModel(parts, model);
  else void warmUpName(parts, model).catch(() => {});
}

function warmUpModel({ catalog, providers, connections }: WarmUpParts, model: string): void {
  catalog.find(model).catch(() => {});
  // Most model owners serve their models themselves, under the same name.
  const owner = model.slice(0, model.indexOf('/'));
  // Only after the catalog read has left.
  if (!providers.get(owner))
    setImmediate(() => void warmUpProvider(providers, connections, owner).catch(() => {}));
}

/** A name without an owner is looked up first. */
async function warmUpName(parts: WarmUpParts, name: string): Promise<void> {
  const { models, alias } = await parts.catalog.named(name);
  for (const id of alias?.map(({ model }) => model) ?? models) warmUpModel(parts, id);
}

/** Loads a provider's code and credentials, and connects to where it is called. Owners' own hosts have no regions. */
async function warmUpProvider(
  providers: Providers,
  { findAccess, preconnect }: WarmUpParts['connections'],
  name: string,
): Promise<void> {
  // The owner is only a guess: many are no provider, and a guess must not read the database.
  const provider = await providers.loadBuiltIn(name);
  if (!provider) return;
  const access = await findAccess(name);
  if (provider.isConfigured(access)) preconnect?.(rootOf(provider, '', access));
}
