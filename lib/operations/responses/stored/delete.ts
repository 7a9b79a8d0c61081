/** Deletes a stored response: `DELETE /v1/responses/{response_id}`. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../../core/endpoint.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import { responseIdField, responseNotFound } from './stored-format.ts';

export const schema = z.object({ response_id: responseIdField });

export function deleteResponseEndpoint(
  store: ResponseStore,
): Endpoint<typeof schema, z.infer<typeof schema>> {
  return {
    schema,
    read: (query) => query,
    async answer({ input: { response_id: id }, key }) {
      const isDeleted = key && (await store.delete(key.tenant, id));
      if (!isDeleted) throw responseNotFound(id);
      return { type: 'json', body: { id, object: 'response', deleted: true } };
    },
  };
}
