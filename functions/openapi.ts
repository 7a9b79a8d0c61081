/** The Lambda of `GET /v1/openapi.json`. */

import document from '../docs/openapi.json' with { type: 'json' };
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { openapiEndpoint } from '../lib/operations/openapi.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { lightRuntime } from '../lib/runtime/light-runtime.ts';

export const create = (variables: Variables) =>
  serve(operationNamed('openapi'), openapiEndpoint(document), lightRuntime(variables));
