/** The OpenAPI document of this gateway: `GET /v1/openapi.json`, public. */
import * as z from 'zod/mini';
import { lazy } from '../async/lazy.ts';
import { plainEndpoint } from './plain-endpoint.ts';
import { taggedJson } from './tagged-json.ts';

export const schema = z.object({});

/** A deployment changes the document. */
const maxAgeSeconds = 3_600;

/** Called for the first request. */
export type ReadDocument = () => object | Promise<object>;

export const openapiEndpoint = (read: ReadDocument) =>
  plainEndpoint(
    { schema },
    lazy(async () => taggedJson(await read(), maxAgeSeconds)),
  );
