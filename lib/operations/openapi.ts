/** The OpenAPI document of this gateway: `GET /v1/openapi.json`, public. */
import * as z from 'zod/mini';
import { lazy } from '../async/lazy.ts';
import type { Endpoint } from '../core/endpoint.ts';
import { taggedJson } from './tagged-json.ts';

export const schema = z.object({});

/** A deployment changes the document. */
const maxAgeSeconds = 3_600;

/** Called for the first request. */
export type ReadDocument = () => object | Promise<object>;

export function openapiEndpoint(read: ReadDocument): Endpoint<typeof schema, z.infer<typeof schema>> {
  const answer = lazy(async () => taggedJson(await read(), maxAgeSeconds));
  return { schema, read: (query) => query, answer };
}
