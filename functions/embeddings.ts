/** The Lambda of `POST /v1/embeddings`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { embeddingsEndpoint } from '../lib/operations/embeddings/endpoint.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

export function create(variables: Variables) {
  const runtime = generationRuntime(variables);

  return serve(operationNamed('embeddings'), embeddingsEndpoint(runtime), runtime);
}
