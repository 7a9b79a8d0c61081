/** The Lambda of `POST /v1/images/generations`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { imagesEndpoint } from '../lib/operations/images/endpoint.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

export function create(variables: Variables) {
  const runtime = generationRuntime(variables);

  return serve(operationNamed('images-generations'), imagesEndpoint(runtime), runtime);
}
