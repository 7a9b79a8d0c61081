/** The Lambda of `GET /v1/openapi.json`. Its document is beside the bundle. */
import { rowNamed } from '../lib/core/operations/operation.ts';
import { ownRows } from '../lib/core/operations/own.ts';
import { serve } from '../lib/http/serve.ts';
import { openapiEndpoint, type ReadDocument } from '../lib/operations/openapi.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { publicRuntimeOf } from '../lib/runtime/public-runtime.ts';
import { readDocument } from '../lib/runtime/read-document.ts';

export const create = (variables: Variables, read: ReadDocument = () => readDocument('openapi')) =>
  serve(rowNamed(ownRows, 'openapi'), openapiEndpoint(read), publicRuntimeOf(variables));
