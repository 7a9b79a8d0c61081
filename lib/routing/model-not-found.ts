/** The answer to a model id that cannot be served: it names the replacement, or the nearest ids. */

import { isServed, type Model } from '../core/catalog/model.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { nearest } from '../core/names/closest-name.ts';
import type { Catalog } from '../core/ports/catalog.ts';

/**
 * For the requested model a 404 `model_not_found`; for a fallback a 400, because the request named something that
 * cannot help it.
 */
export async function modelNotFound(
  catalog: Catalog,
  id: string,
  model: Model | undefined,
  param: string,
): Promise<GatewayError> {
  const kind = param === 'model' ? 'model_not_found' : 'invalid_request';
  const shown = id.slice(0, 100);
  const message = model ? gone(model) : `The model '${shown}' does not exist.${await suggest(catalog, id)}`;
  return new GatewayError(kind, message, { param, code: 'model_not_found' });
}

function gone(model: Model): string {
  const instead = model.replacement ? ` Use '${model.replacement}' instead.` : '';
  return `The model '${model.id}' is ${model.status} and no longer served.${instead}`;
}

async function suggest(catalog: Catalog, id: string): Promise<string> {
  const served = (await catalog.list()).filter(isServed).map((model) => model.id);
  const near = nearest(id, [...served, ...(await catalog.aliases()).keys()]);
  return near.length > 0 ? ` Did you mean ${near.map((name) => `'${name}'`).join(' or ')}?` : '';
}
