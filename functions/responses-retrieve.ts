/** The Lambda of `GET /v1/responses/{response_id}`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { retrieveResponseEndpoint } from '../lib/operations/responses/stored/retrieve.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { storedResponsesRuntime } from '../lib/runtime/stored-responses-runtime.ts';

export function create(variables: Variables) {
  const runtime = storedResponsesRuntime(variables);

  return serve(operationNamed('responses-retrieve'), retrieveResponseEndpoint(runtime.responses), runtime);
}
