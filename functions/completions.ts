/** The Lambda of `POST /v1/completions`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { completionsEndpoint } from '../lib/operations/completions/endpoint.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

export function create(variables: Variables) {
  const runtime = generationRuntime(variables);
  runtime.startAhead('openai');

  return serve(operationNamed('completions'), completionsEndpoint(runtime), runtime);
}
