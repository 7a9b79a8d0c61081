/** The Lambda of `POST /v1/responses/input_tokens`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { countEndpoint } from '../lib/operations/responses/count/endpoint.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';

export function create(variables: Variables) {
  const runtime = responsesRuntime(variables);

  return serve(operationNamed('responses-input-tokens'), countEndpoint(runtime), runtime);
}
