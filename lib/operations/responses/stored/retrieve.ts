/** Retrieves a stored response: `GET /v1/responses/{response_id}`. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../../core/endpoint.ts';
import { objectsIn } from '../../../core/json-object.ts';
import type { ResponseStore } from '../../../core/stored-response.ts';
import { findStored, includeField, responseIdField, showItem } from './stored-form.ts';

const notStreamed = 'a stored response cannot be streamed';

export const schema = z.object({
  response_id: responseIdField,
  include: includeField,
  stream: z.optional(z.literal('false', `must be 'false': ${notStreamed}`)),
  starting_after: z.optional(z.never(`is not supported: ${notStreamed}`)),
});

export function retrieveResponseEndpoint(
  store: ResponseStore,
): Endpoint<typeof schema, z.infer<typeof schema>> {
  return {
    schema,
    read: (query) => query,
    async answer(call) {
      const { response } = await findStored(store, call);
      const output = objectsIn(response.output).map((item) => showItem(item, call.input.include));
      return { type: 'json', body: { ...response, output } };
    },
  };
}
