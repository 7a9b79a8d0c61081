/** The Lambda of `POST /v1/messages/count_tokens`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { countEndpoint } from '../lib/operations/messages/count/endpoint.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

export function create(variables: Variables) {
  const runtime = generationRuntime(variables);

  return serve(operationNamed('messages-count-tokens'), countEndpoint(runtime), runtime);
}
