/** The Lambda of `POST /v1/responses/input_tokens`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { countEndpoint } from '../lib/operations/responses/count/endpoint.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';

const runtime = responsesRuntime();

export const handler = serve(operationNamed('responses-input-tokens'), countEndpoint(runtime), runtime);
