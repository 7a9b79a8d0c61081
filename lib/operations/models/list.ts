/** The model list: `GET /v1/models`, public. The operator's aliases are among the models. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import { modelStatuses } from '../../core/model.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import { writeAlias, writeModel } from './model-object.ts';

export const schema = z.object({ status: z.optional(z.enum(modelStatuses)) });

export function modelsEndpoint(catalog: Catalog): Endpoint<typeof schema, z.infer<typeof schema>> {
  return {
    schema,
    read: (query) => query,
    async answer({ input: { status } }) {
      const [models, aliases] = await Promise.all([catalog.list(), catalog.aliases()]);
      const byId = new Map(models.map((model) => [model.id, model]));
      const named = [
        ...models.map((model) => [model.id, writeModel(model)] as const),
        ...[...aliases].map(([name, targets]) => [name, writeAlias(name, targets, byId)] as const),
      ];
      const data = named
        .toSorted(([one], [other]) => one.localeCompare(other))
        .flatMap(([, shown]) => shown ?? [])
        .filter((shown) => status === undefined || ('status' in shown && shown.status === status));
      return { type: 'json', body: { object: 'list', data } };
    },
  };
}
