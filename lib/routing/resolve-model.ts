/**
 * The model that a request means: by its id, by a name without the owner that only one model has, or by an operator's alias.
 * Every check is of the model that is found, never of the name.
 */

import { isServed, type Model } from '../core/catalog/model.ts';
import type { ModelEndpoint } from '../core/catalog/model-endpoints.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { namesOf } from '../core/names/names.ts';
import type { Catalog } from '../core/ports/catalog.ts';
import { chooseTargets, type RequestShape } from './alias.ts';

/** An input modality that a request has. */
export interface Need {
  readonly modality: string;
  /** The field that has it; absent: the request as such. */
  readonly param?: string;
}

/** What a model must be able to do, and what decides between the targets of an alias. */
export interface ModelNeeds {
  readonly endpoint: ModelEndpoint;
  readonly needs: readonly Need[];
  /** Called with the id of the model that the request names, also where it cannot serve the request. */
  readonly noteModel?: (id: string) => void;
  /** Whether the caller may use a model, by its id. */
  readonly isAllowed?: (id: string) => boolean;
  readonly shape?: () => RequestShape;
  /** What one choice by weight is kept for: a conversation, or only this request. */
  readonly choiceKey?: () => string;
}

/** What the request called a model, and the field that names it. */
export interface RequestedName {
  readonly name: string;
  readonly param: string;
}

interface ResolvedModel extends RequestedName {
  readonly model: Model;
}

/**
 * Rejects with GatewayError for a name that is unknown, or means several models, and for a model that the caller may not use or
 * that cannot do what is needed.
 */
export async function resolveModel(
  catalog: Catalog,
  { name, param }: RequestedName,
  request: ModelNeeds,
): Promise<ResolvedModel> {
  const targets = name.includes('/') ? undefined : await targetsOfAlias(catalog, name, request);
  const found = targets ?? (await modelsNamed(catalog, name));
  if (!targets && found.length > 1) throw ambiguous(name, found, param);
  if (param === 'model' && found[0]) request.noteModel?.(found[0].id);
  const failures: GatewayError[] = [];
  for (const model of found) {
    const failure = isServed(model) ? refusalOf(model, param, request) : undefined;
    if (isServed(model) && !failure) return { name, param, model };
    if (failure) failures.push(failure);
  }
  if (failures[0]) throw failures[0];
  const { modelNotFound } = await import('./model-not-found.ts');
  throw await modelNotFound(catalog, name, found[0], param);
}

/** The models of an alias, the chosen one first; undefined if the name is no alias. */
async function targetsOfAlias(
  catalog: Catalog,
  name: string,
  { shape = () => noShape, choiceKey = () => '' }: ModelNeeds,
): Promise<readonly Model[] | undefined> {
  const { alias } = await catalog.named(name);
  if (!alias) return undefined;
  const chosen = chooseTargets(alias, shape(), choiceKey());
  const models = await Promise.all(chosen.map(({ model }) => catalog.find(model)));
  return models.filter((model) => model !== undefined);
}

const noShape: RequestShape = { tools: false, images: false, inputTokens: 0 };

/**
 * The models with an id, or with a name: those that are served if there are any. A name with an owner is that of one of the
 * owner's models.
 */
export const modelsNamed = (catalog: Catalog, name: string): Promise<readonly Model[]> =>
  catalog.find(name).then((model) => (model ? [model] : withoutId(catalog, name)));

async function withoutId(catalog: Catalog, name: string): Promise<readonly Model[]> {
  const slash = name.indexOf('/');
  const [owner, short] = [name.slice(0, slash + 1), name.slice(slash + 1)];
  const { models } = await catalog.named(short);
  const rows = await Promise.all(models.filter((id) => id.startsWith(owner)).map((id) => catalog.find(id)));
  const named = rows.filter((row) => row !== undefined && namesOf(row).includes(short)) as readonly Model[];
  const served = named.filter(isServed);
  return served.length > 0 ? served : named;
}

/** None for a name that nothing has. The model of an alias is chosen later. */
export async function modelsMeant(catalog: Catalog, name: string): Promise<readonly Model[] | 'alias'> {
  const { alias } = name.includes('/') ? {} : await catalog.named(name);
  return alias ? 'alias' : await modelsNamed(catalog, name);
}

export function ambiguous(name: string, models: readonly Model[], param: string): GatewayError {
  const ids = models.map(({ id }) => `'${id}'`).toSorted();
  const message = `Several models are named '${name}'. Use one of ${ids.slice(0, 10).join(', ')}.`;
  return new GatewayError('invalid_request', message, { param, code: 'model_ambiguous' });
}

export function notAllowed(id: string, param: string): GatewayError {
  const message = `This API key has no permission for the model '${id}'.`;
  return new GatewayError('permission_denied', message, { param, code: 'model_not_allowed' });
}

/** Why a model cannot serve a request; undefined if it can. */
function refusalOf(
  { id, endpoints, modalities }: Model,
  param: string,
  { endpoint, needs, isAllowed }: ModelNeeds,
): GatewayError | undefined {
  if (isAllowed?.(id) === false) return notAllowed(id, param);
  if (!endpoints.includes(endpoint)) {
    const message = `The model '${id}' does not support ${endpoint}. It supports: ${endpoints.join(', ')}.`;
    return new GatewayError('unsupported_operation', message, { param });
  }
  const missing = needs.find(({ modality }) => !modalities.input.includes(modality));
  if (!missing) return undefined;
  const message = `The model '${id}' does not accept ${missing.modality} input.`;
  // The caller can leave the part out as well as choose another model; of a fallback, its index is what they look for.
  const field = param === 'model' ? (missing.param ?? param) : param;
  return new GatewayError('invalid_request', message, { param: field, code: 'unsupported_modality' });
}
