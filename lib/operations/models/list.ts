/**
 * The model list: `GET /v1/models`, public. The operator's aliases are among the models. It is written once for what the process has
 * read of the catalog: anyone may ask for it.
 */
import * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import { type Model, type ModelStatus, modelStatuses } from '../../core/model.ts';
import type { AliasTarget } from '../../core/names.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { type TaggedJson, taggedJson } from '../tagged-json.ts';
import { maxModelAgeSeconds, writeAlias, writeModel } from './model-object.ts';

export const schema = z.object({ status: z.optional(z.enum(modelStatuses)) });

type Aliases = ReadonlyMap<string, readonly AliasTarget[]>;

/** The lists of one reading of the catalog, by the status that was asked for. */
interface Written {
  readonly models: readonly Model[];
  readonly aliases: Aliases;
  readonly lists: Map<ModelStatus | undefined, TaggedJson>;
}

export function modelsEndpoint(catalog: Catalog): Endpoint<typeof schema, z.infer<typeof schema>> {
  let written: Written | undefined;
  return {
    schema,
    read: (query) => query,
    async answer({ input: { status } }) {
      const [models, aliases] = await Promise.all([catalog.list(), catalog.aliases()]);
      if (written?.models !== models || written.aliases !== aliases) {
        written = { models, aliases, lists: new Map() };
      }
      const list = written.lists.get(status) ?? taggedJson(writeList(written, status), maxModelAgeSeconds);
      written.lists.set(status, list);
      return list;
    },
  };
}

function writeList({ models, aliases }: Written, status: ModelStatus | undefined): object {
  const byId = new Map(models.map((model) => [model.id, model]));
  const named = [
    ...models.map((model) => [model.id, writeModel(model)] as const),
    ...[...aliases].map(([name, targets]) => [name, writeAlias(name, targets, byId)] as const),
  ];
  const data = named
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([, shown]) => shown ?? [])
    .filter((shown) => status === undefined || ('status' in shown && shown.status === status));
  return { object: 'list', data };
}
