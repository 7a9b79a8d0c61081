/** The Lambda of `GET /v1/models/{model}`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { modelsRetrieveEndpoint } from '../lib/operations/models/retrieve.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { lightRuntime } from '../lib/runtime/light-runtime.ts';

export function create(variables: Variables) {
  const runtime = lightRuntime(variables);

  return serve(operationNamed('models-retrieve'), modelsRetrieveEndpoint(runtime.catalog), runtime);
}
