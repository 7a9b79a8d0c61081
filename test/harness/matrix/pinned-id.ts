/** Ids of catalog models at one of their providers only: the model's id, a colon, and the provider. */
import { seedRows } from '../../../infra/catalog/seed.ts';
import type { Host } from '../../../lib/providers/hosts/host.ts';
import { hosts } from '../../../lib/providers/hosts/hosts.ts';

interface CatalogRow {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly deployments: readonly { readonly provider: string }[];
}

const rowNamed = (id: string | undefined) => (seedRows as readonly CatalogRow[]).find((row) => row.id === id);

/** The model's own id where the provider is the first to serve it. Throws where the provider does not serve it at all. */
export function pinnedId(model: string, provider: string): string {
  const row = rowNamed(model);
  if (!row) throw new Error(`The test model ${model} of ${provider} is not in the catalog.`);
  if (deploymentsAt(row, provider).length === 0) {
    throw new Error(
      `The catalog has no deployment of ${model} at ${provider}: add one, or choose another test model for ${provider}.`,
    );
  }
  return row.deployments[0]?.provider === provider ? model : `${model}:${provider}`;
}

/** The row with the deployments at that provider alone; none for an id without a provider. */
export function pinnedRow(id: string): readonly CatalogRow[] {
  const [model, provider] = id.split(':');
  const row = provider === undefined ? undefined : rowNamed(model);
  // The other names stay those of the model itself.
  return row && provider ? [{ ...row, id, aliases: [], deployments: deploymentsAt(row, provider) }] : [];
}

/** The catalog has no models of an operator's own servers: any model can be used there. */
function deploymentsAt({ id, deployments }: CatalogRow, provider: string): CatalogRow['deployments'] {
  const found = deployments.filter((deployment) => deployment.provider === provider);
  const host = (hosts as Readonly<Record<string, Host>>)[provider];
  const isOwn = host !== undefined && host.baseUrl === undefined;
  const own = { provider, region: 'global', upstreamId: id.slice(id.indexOf('/') + 1) };
  return found.length === 0 && isOwn ? [own] : found;
}
