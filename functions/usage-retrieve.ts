/** The Lambda of `GET /v1/usage`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { usageEndpoint } from '../lib/operations/usage/usage.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { usageRuntime } from '../lib/runtime/usage-runtime.ts';

export function create(variables: Variables) {
  const runtime = usageRuntime(variables);

  return serve(operationNamed('usage-retrieve'), usageEndpoint(runtime), runtime);
}
