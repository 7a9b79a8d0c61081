/** The Lambda of `POST /v1/responses/compact`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { compactEndpoint } from '../lib/operations/responses/compact/endpoint.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';

const runtime = responsesRuntime();

export const handler = serve(operationNamed('responses-compact'), compactEndpoint(runtime), runtime);
