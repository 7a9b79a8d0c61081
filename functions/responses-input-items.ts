/** The Lambda of `GET /v1/responses/{response_id}/input_items`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { responseInputItemsEndpoint } from '../lib/operations/responses/stored/input-items.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { storedResponsesRuntime } from '../lib/runtime/stored-responses-runtime.ts';

export function create(variables: Variables) {
  const runtime = storedResponsesRuntime(variables);

  return serve(
    operationNamed('responses-input-items'),
    responseInputItemsEndpoint(runtime.responses),
    runtime,
  );
}
