/** The OpenAPI document of this gateway: `GET /v1/openapi.json`, public. */
import * as z from 'zod/mini';
import type { Endpoint } from '../core/endpoint.ts';

export const schema = z.object({});

/** A deployment changes the document, so that clients may reuse it for an hour. */
const headers = { 'cache-control': 'public, max-age=3600' };

export function openapiEndpoint(document: object): Endpoint<typeof schema, z.infer<typeof schema>> {
  return {
    schema,
    read: (query) => query,
    answer: async () => ({ type: 'json', body: document, headers }),
  };
}
