/** The Lambda of `POST /v1/responses/compact`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { compactEndpoint } from '../lib/operations/responses/compact/endpoint.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';

export function create(variables: Variables) {
  const runtime = responsesRuntime(variables);

  return serve(operationNamed('responses-compact'), compactEndpoint(runtime), runtime);
}
