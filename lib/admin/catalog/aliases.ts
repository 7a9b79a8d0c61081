/** The names that an operator gave to models: listed, set and removed. */
import { nothing } from '../../core/admin/admin-endpoint.ts';
import type { User } from '../../core/admin/user.ts';
import type { Model } from '../../core/catalog/model.ts';
import { isServed } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { withoutUndefined } from '../../core/formats/json-object.ts';
import { type AliasTarget, isName } from '../../core/names/names.ts';
import { readModelRow } from '../../stores/catalog/model-row.ts';
import { recordChange } from '../audit/record-change.ts';
import { absent, etagOf, requireMatch } from '../etag.ts';
import { refusalOf } from '../reach.ts';
import { endpointOf } from '../subject-endpoint.ts';
import type { CatalogParts } from './parts.ts';
import {
  type AliasAnswer,
  type AliasesDeleteAnswer,
  type AliasesListAnswer,
  type AliasesPutInput,
  aliasesPutInput,
  aliasPath,
  maxAliasTargets,
} from './schema.ts';

interface OfAlias {
  readonly alias: string;
}
type Targets = readonly AliasTarget[] | undefined;

/** `GET /admin/v1/aliases` */
export const listAliasesEndpoint = (parts: CatalogParts) => endpointOf(parts, nothing, nothing, listAliases);

export async function listAliases({ models }: CatalogParts, _: User, __: object): Promise<AliasesListAnswer> {
  const { aliases } = await models.names.get('operator');
  const data = [...aliases]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, targets]) => show(name, targets));
  return { object: 'list', data, has_more: false, next_after: null };
}

/** `PUT /admin/v1/aliases/{alias}` */
export const putAliasEndpoint = (parts: CatalogParts) =>
  endpointOf(parts, aliasPath, aliasesPutInput, putAlias);

/** Rejects with GatewayError `invalid_request` for targets that cannot stand for each other. */
export async function putAlias(
  parts: CatalogParts,
  user: User,
  { alias, targets: given }: AliasesPutInput & OfAlias,
  ifMatch?: string,
): Promise<AliasAnswer> {
  if (!isName(alias)) {
    const rule = 'must have 1 to 100 letters, digits, dots, underscores, colons or dashes, and no slash.';
    throw refusalOf('alias', `The name ${rule}`);
  }
  if (given.length > maxAliasTargets)
    throw refusalOf('targets', `An alias can have at most ${maxAliasTargets} targets.`);
  if (given.every(({ when }) => when))
    throw refusalOf('targets', 'One target at least must have no condition: some requests would have none.');
  checkTogether(await Promise.all(given.map(({ model }, index) => findServed(parts, model, index))));
  const targets = given.map(readTarget);
  const before = await change(parts, alias, targets, ifMatch);
  await recordChange(parts, user, 'aliases.set', {
    target: alias,
    before: before && { targets: before },
    after: { targets },
  });
  return show(alias, targets);
}

/** `DELETE /admin/v1/aliases/{alias}` */
export const deleteAliasEndpoint = (parts: CatalogParts) =>
  endpointOf(parts, aliasPath, nothing, deleteAlias);

export async function deleteAlias(
  parts: CatalogParts,
  user: User,
  { alias }: OfAlias,
  ifMatch?: string,
): Promise<AliasesDeleteAnswer> {
  const before = await change(parts, alias, undefined, ifMatch);
  if (!before) throw new GatewayError('not_found', `No alias is named ${alias}.`, { param: 'alias' });
  await recordChange(parts, user, 'aliases.delete', { target: alias, before: { targets: before } });
  return { object: 'alias', id: alias, deleted: true };
}

/** Resolves with the former targets. */
const change = ({ models }: CatalogParts, name: string, targets: Targets, ifMatch: string | undefined) =>
  models.names.setAlias(name, targets, (before) =>
    requireMatch(ifMatch, before ? show(name, before).etag : absent, `The alias ${name}`),
  );

const readTarget = ({ model, weight = 1, when }: AliasesPutInput['targets'][number]): AliasTarget => {
  const { input_tokens_above: inputTokensAbove, ...kinds } = when ?? {};
  return { model, weight, ...(when && { when: withoutUndefined({ ...kinds, inputTokensAbove }) }) };
};

function show(id: string, stored: readonly AliasTarget[]): AliasAnswer {
  const targets = stored.map(({ model, weight, when }) => {
    const { inputTokensAbove, tools, images } = when ?? {};
    const shown = withoutUndefined({ tools, images, input_tokens_above: inputTokensAbove });
    return { model, weight, ...(when && { when: shown }) };
  });
  return { object: 'alias', id, etag: etagOf(targets), targets };
}

async function findServed({ models }: CatalogParts, id: string, index: number): Promise<Model> {
  const found = await models.get(id);
  if (!found) throw refusalOf(`targets.${index}.model`, `Model not found: ${id}.`);
  const model = readIfValid(found.row);
  if (!model) throw refusalOf(`targets.${index}.model`, `The row of ${id} is malformed.`);
  if (isServed(model)) return model;
  const message = `The model ${id} is ${model.status}: an alias is for models that are served.`;
  throw refusalOf(`targets.${index}.model`, message);
}

function readIfValid(row: unknown): Model | undefined {
  try {
    return readModelRow(row, 'ignore');
  } catch {
    return undefined;
  }
}

/** What one model can do and another cannot at all would depend on chance. */
function checkTogether([first, ...others]: readonly Model[]): void {
  if (!first || others.length === 0) return;
  if (first.traits.embedding) {
    const message = 'Vectors of different models cannot be compared: such an alias has one target.';
    throw refusalOf('targets', message);
  }
  const differing = others.find(({ endpoints }) => !endpoints.some((one) => first.endpoints.includes(one)));
  if (differing) throw refusalOf('targets', `${first.id} and ${differing.id} share no operation.`);
}
