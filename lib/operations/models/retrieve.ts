/** One model: `GET /v1/models/{model}`, public. The name may be whatever a request may call the model by. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import { withoutContextSuffix } from '../../core/names/names.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { modelNotFound } from '../../routing/model-not-found.ts';
import { ambiguous, modelsNamed } from '../../routing/resolve-model.ts';
import { taggedJson } from '../tagged-json.ts';
import { maxModelAgeSeconds, writeAlias, writeModel } from './model-object.ts';

export const schema = z.object({ model: z.string() });

export function modelsRetrieveEndpoint(catalog: Catalog): Endpoint<typeof schema, string> {
  return {
    schema,
    read: ({ model }) => withoutContextSuffix(decoded(model)),
    async answer({ input: name }) {
      const model = (await aliasNamed(catalog, name)) ?? (await modelNamed(catalog, name));
      return taggedJson(model, maxModelAgeSeconds);
    },
  };
}

/** The slash of an id may arrive as `%2F`. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function aliasNamed(catalog: Catalog, name: string): Promise<object | undefined> {
  const { alias } = await catalog.named(name);
  if (!alias) return undefined;
  const models = await Promise.all(alias.map(({ model }) => catalog.find(model)));
  return writeAlias(name, alias, new Map(models.flatMap((model) => (model ? [[model.id, model]] : []))));
}

async function modelNamed(catalog: Catalog, name: string): Promise<object> {
  const [model, ...others] = await modelsNamed(catalog, name);
  if (!model) throw await modelNotFound(catalog, name, undefined, 'model');
  if (others.length > 0) throw ambiguous(name, [model, ...others], 'model');
  return writeModel(model);
}
