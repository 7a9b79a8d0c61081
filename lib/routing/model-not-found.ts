/** The answer to a model id that cannot be served: it names the replacement, or the nearest ids. */
import { editDistance } from '../core/closest-name.ts';
import { GatewayError } from '../core/errors.ts';
import type { Model } from '../core/model.ts';
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

export const isServed = ({ status }: Model): boolean => status === 'active' || status === 'deprecated';

function gone(model: Model): string {
  const instead = model.replacement ? ` Use '${model.replacement}' instead.` : '';
  return `The model '${model.id}' is ${model.status} and no longer served.${instead}`;
}

async function suggest(catalog: Catalog, id: string): Promise<string> {
  const served = (await catalog.list()).filter(isServed).map((model) => model.id);
  const near = nearest(id, [...served, ...(await catalog.aliases()).keys()]);
  return near.length > 0 ? ` Did you mean ${near.map((name) => `'${name}'`).join(' or ')}?` : '';
}

/** A snapshot's date: most catalogs have the model without it. */
const date = /[-@]\d{8}$/;

/** Up to three ids that differ from the requested one in few letters, or end in the same model name. A date does not count. */
export function nearest(requested: string, ids: readonly string[]): readonly string[] {
  const wanted = requested.slice(0, 100).toLowerCase().replace(date, '');
  const limit = Math.max(2, Math.floor(wanted.length / 4));
  return ids
    .map((id) => ({ id, distance: distanceTo(wanted, id) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.id.localeCompare(b.id))
    .slice(0, 3)
    .map(({ id }) => id);
}

function distanceTo(wanted: string, id: string): number {
  const name = id.slice(id.indexOf('/') + 1);
  if (wanted === name) return 0;
  return Math.min(editDistance(wanted, id), editDistance(wanted, name));
}
