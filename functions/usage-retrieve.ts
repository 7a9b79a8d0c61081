/** The Lambda of `GET /v1/usage`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { usageEndpoint } from '../lib/operations/usage/usage.ts';
import { usageRuntime } from '../lib/runtime/usage-runtime.ts';

const runtime = usageRuntime();

export const handler = serve(operationNamed('usage-retrieve'), usageEndpoint(runtime), runtime);
