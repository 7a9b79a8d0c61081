/** Rows of models, with their prices: shown, set and removed. A row that ships with the gateway becomes the operator's when it is set. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { objectsIn } from '../../core/formats/json-object.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { namesOf } from '../../core/names/names.ts';
import type { StoredRow } from '../../stores/catalog/catalog.ts';
import { readModelRow } from '../../stores/catalog/model-row.ts';
import { recordChange } from '../audit/record-change.ts';
import { requireMatch } from '../etag.ts';
import { refusalOf } from '../reach.ts';
import { endpointOf } from '../subject-endpoint.ts';
import { type CatalogParts, changedMeanwhile, refuseRow, rowOf, tagOf } from './parts.ts';
import {
  type ModelRowAnswer,
  type ModelsDeleteAnswer,
  type ModelsPutAnswer,
  modelPath,
  type RowInput,
  rowInput,
} from './schema.ts';

interface OfModel {
  readonly owner: string;
  readonly model: string;
}

/** Characters of a row as JSON. */
const maxRow = 100_000;

/** `GET /admin/v1/models/{owner}/{model}` */
export const retrieveModelEndpoint = (parts: CatalogParts) =>
  endpointOf(parts, modelPath, nothing, retrieveModel);

export async function retrieveModel(parts: CatalogParts, _: User, of: OfModel): Promise<ModelRowAnswer> {
  return show(await findModel(parts, idOf(of)));
}

/** `PUT /admin/v1/models/{owner}/{model}` */
export const putModelEndpoint = (parts: CatalogParts) => endpointOf(parts, modelPath, rowInput, putModel);

/** Rejects with GatewayError `invalid_request` that has every fault of the row. */
export async function putModel(
  parts: CatalogParts,
  user: User,
  { row: given, ...of }: RowInput & OfModel,
  ifMatch?: string,
): Promise<ModelsPutAnswer> {
  const id = idOf(of);
  const row = { ...given, id: given.id ?? id };
  if (row.id !== id) throw refusalOf('row.id', `id: must be ${id}, as in the path, or absent`);
  const { models } = parts;
  const before = await models.get(id);
  await checkRow(parts, row, providersIn(rowOf(before?.row)));
  requireMatch(ifMatch, tagOf(before), `The model ${id}`);
  if (!(await models.replace(before, row))) throw changedMeanwhile(`The model ${id}`);
  const after: StoredRow = { id, source: 'operator', row };
  await recordChange(parts, user, 'models.set', {
    target: id,
    before: before && (rowOf(before.row) ?? undefined),
    after: row,
  });
  return { ...show(after), created: before === undefined, shared_names: await sharedNames(parts, row) };
}

/** `DELETE /admin/v1/models/{owner}/{model}` */
export const deleteModelEndpoint = (parts: CatalogParts) =>
  endpointOf(parts, modelPath, nothing, deleteModel);

/** Rejects with GatewayError `invalid_request` for a row that ships with the gateway. */
export async function deleteModel(
  parts: CatalogParts,
  user: User,
  of: OfModel,
  ifMatch?: string,
): Promise<ModelsDeleteAnswer> {
  const id = idOf(of);
  const before = await findModel(parts, id);
  requireMatch(ifMatch, tagOf(before), `The model ${id}`);
  if (before.source === 'seed')
    throw refusalOf(
      'model',
      `${id} ships with the gateway and cannot be removed. Set its status to inactive.`,
    );
  if (!(await parts.models.remove(before))) throw changedMeanwhile(`The model ${id}`);
  const was = rowOf(before.row) ?? {};
  await recordChange(parts, user, 'models.delete', { target: id, before: was });
  return { object: 'model.row', id, deleted: true };
}

const idOf = ({ owner, model }: OfModel): string => `${owner}/${model}`;

/** Rejects with GatewayError `not_found`. */
async function findModel({ models }: CatalogParts, id: string): Promise<StoredRow> {
  const found = await models.get(id);
  if (!found) throw new GatewayError('not_found', `Model not found: ${id}.`, { param: 'model' });
  return found;
}

const show = ({ id, source, row, ...stored }: StoredRow): ModelRowAnswer => ({
  object: 'model.row',
  id,
  written_by: source,
  etag: tagOf({ source, row, ...stored }),
  row: rowOf(row),
});

/** `formerly`: the providers that the row has had, whose hosts may have been removed since. */
async function checkRow(parts: CatalogParts, row: JsonObject, formerly: readonly string[]): Promise<void> {
  if (JSON.stringify(row).length > maxRow)
    throw refusalOf('row', `row: must be at most ${maxRow} characters long as JSON`);
  const [others, hosts] = await Promise.all([replacementOf(parts, row), hostsOf(parts, row)]);
  // It loads all providers, and what waits for them cannot be a part of the program that they import.
  const { lintRows } = await import('./lint.ts');
  const faults = lintRows([{ row }], others, [...hosts, ...formerly]).map(({ fault }) => fault);
  if (faults.length > 0) throw refuseRow(faults);
}

async function replacementOf({ models }: CatalogParts, { id, replacement }: JsonObject) {
  if (typeof replacement !== 'string' || replacement === id) return [];
  const found = await models.get(replacement);
  return found ? [{ id: replacement }] : [];
}

/** The hosts of the operator's own that the row names. */
async function hostsOf({ hosts }: CatalogParts, row: JsonObject): Promise<readonly string[]> {
  const found = await Promise.all(
    providersIn(row)
      .slice(0, maxHosts)
      .map((name) => hosts.get(name)),
  );
  return found.flatMap((host) => host?.name ?? []);
}

function providersIn(row: JsonObject | null): readonly string[] {
  const named = objectsIn(row?.deployments).map(({ provider }) => provider);
  return [...new Set(named)].filter((provider) => typeof provider === 'string');
}

/** Providers of one row that are looked up. */
const maxHosts = 40;

/** The names without an owner that other models have too, and that are no alias. */
async function sharedNames({ models }: CatalogParts, row: JsonObject): Promise<string[]> {
  const [seed, operator] = await Promise.all([models.names.get('seed'), models.names.get('operator')]);
  return namesOf(readModelRow(row)).filter((name) => {
    const ids = [seed, operator].flatMap((known) => known.models.get(name) ?? []);
    return new Set(ids).size > 1 && !operator.aliases.has(name);
  });
}
