/** The model list: `GET /v1/models`, public. */
import * as z from 'zod/mini';
import type { Endpoint } from '../core/endpoint.ts';
import { type Model, modelStatuses } from '../core/model.ts';
import type { Catalog } from '../core/ports/catalog.ts';

export const schema = z.object({ status: z.optional(z.enum(modelStatuses)) });

export function modelsEndpoint(catalog: Catalog): Endpoint<typeof schema, z.infer<typeof schema>> {
  return {
    schema,
    read: (query) => query,
    async answer({ input: { status } }) {
      const models = await catalog.list();
      const shown = status === undefined ? models : models.filter((model) => model.status === status);
      const data = [...shown].sort((a, b) => a.id.localeCompare(b.id)).map(writeModel);
      return { type: 'json', body: { object: 'list', data } };
    },
  };
}

function writeModel({ id, created, owner, status, modalities, endpoints }: Model): object {
  return { id, object: 'model', created, owned_by: owner, status, modalities, endpoints };
}
