/** `GET /admin/v1/models`: the catalog with what the caller is charged, and with what is known of the deployments. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { Model } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { displayName } from '../../core/names/display-name.ts';
import type { AliasTarget } from '../../core/names/names.ts';
import type { DeploymentSums } from '../../core/ports/deployment-sums.ts';
import { allowsModel } from '../../core/tenancy.ts';
import type { StoredTenant, TenantStore } from '../../stores/access/tenants.ts';
import type { RowSource, StoredRow } from '../../stores/catalog/catalog.ts';
import { readModelRow } from '../../stores/catalog/model-row.ts';
import { readRecent } from '../health.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { defaultModelPage, type ModelsListAnswer, type ModelsListQuery, modelsListQuery } from './schema.ts';
import { writeModel } from './write-model.ts';

export interface ModelParts {
  readonly models: {
    /** Every row, sorted by id. `isFresh`: as it is now, and not as it was some seconds ago. */
    readonly list: (isFresh?: boolean) => Promise<readonly StoredRow[]>;
    /** The operator's names. */
    readonly aliases: (isFresh?: boolean) => Promise<ReadonlyMap<string, readonly AliasTarget[]>>;
  };
  readonly tenants: Pick<TenantStore, 'find'>;
  /** Absent where calls are not summed up. */
  readonly deploymentSums?: DeploymentSums | undefined;
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Something that an answer can do without could not be read. */
  readonly warn: (cause: unknown) => void;
}

export const modelsListEndpoint = (parts: ModelParts) =>
  endpointOf(parts, modelsListQuery, nothing, listModels);

/** One page of the catalog, with the prices of the tenant that is asked for, or of the user's own. */
export async function listModels(
  parts: ModelParts,
  user: User,
  query: ModelsListQuery,
): Promise<ModelsListAnswer> {
  const { models, deploymentSums, now, warn } = parts;
  // Operators see what they have just changed.
  const isOperator = user.role === 'operator';
  const [rows, aliases, tenant, recent] = await Promise.all([
    models.list(isOperator),
    models.aliases(isOperator),
    findTenant(parts, user, query.tenant),
    readRecent(deploymentSums, now(), warn),
  ]);
  const { limit = defaultModelPage, after } = query;
  const read = rows.map(readRow);
  const found = read.flatMap((row) => ('model' in row && isAsked(row.model, query) ? [row] : []));
  const page = found.filter(({ id }) => after === undefined || id > after).slice(0, limit);
  const hasMore = page.length > 0 && page.at(-1)?.id !== found.at(-1)?.id;
  return {
    object: 'list',
    data: page.map(({ id, model, writtenBy }) =>
      writeModel(model, {
        writtenBy,
        buyer: { pricing: tenant?.pricing, at: now() / 1000 },
        isAllowed: tenant === undefined || allowsModel(tenant, id),
        aliases: [...aliases].flatMap(([name, targets]) =>
          targets.some((target) => target.model === id) ? [name] : [],
        ),
        recent,
        isForOperator: isOperator,
      }),
    ),
    has_more: hasMore,
    next_after: hasMore ? (page.at(-1)?.id ?? null) : null,
    faulty: isOperator
      ? read.flatMap((row) =>
          'fault' in row ? [{ id: row.id, written_by: row.writtenBy, fault: row.fault }] : [],
        )
      : [],
  };
}

/** Whose prices are shown: an operator may ask for those of any tenant. */
async function findTenant(
  { tenants }: ModelParts,
  user: User,
  asked: string | undefined,
): Promise<StoredTenant | undefined> {
  const name = user.role === 'operator' ? asked : user.tenant;
  const tenant = name === undefined ? undefined : await tenants.find(name);
  const isMissing = name !== undefined && tenant === undefined;
  if (isMissing || (asked !== undefined && asked !== name))
    throw new GatewayError('not_found', `Tenant not found: ${asked ?? name}.`, { param: 'tenant' });
  return tenant;
}

type ReadRow = { readonly id: string; readonly writtenBy: RowSource } & (
  | { readonly model: Model }
  | { readonly fault: string }
);

function readRow({ id, source, row }: StoredRow): ReadRow {
  try {
    return { id, writtenBy: source, model: readModelRow(row, 'ignore') };
  } catch (error) {
    return { id, writtenBy: source, fault: error instanceof Error ? error.message : String(error) };
  }
}

function isAsked(model: Model, { status, search }: ModelsListQuery): boolean {
  if (status !== undefined && model.status !== status) return false;
  const names = [model.id, displayName(model.id), ...(model.aliases ?? [])];
  const text = search?.trim().toLowerCase() ?? '';
  return names.some((name) => name.toLowerCase().includes(text));
}
