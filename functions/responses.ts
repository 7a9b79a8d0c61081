/** The Lambda of `POST /v1/responses`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { responsesEndpoint } from '../lib/operations/responses/endpoint.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';

export function create(variables: Variables) {
  const runtime = responsesRuntime(variables);
  runtime.startAhead('openai');

  return serve(operationNamed('responses'), responsesEndpoint(runtime), runtime);
}
