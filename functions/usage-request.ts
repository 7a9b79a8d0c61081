/** The Lambda of `GET /v1/usage/requests/{request_id}`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { requestEndpoint } from '../lib/operations/usage/request.ts';
import { usageRuntime } from '../lib/runtime/usage-runtime.ts';

const runtime = usageRuntime();

export const handler = serve(operationNamed('usage-request'), requestEndpoint(runtime), runtime);
