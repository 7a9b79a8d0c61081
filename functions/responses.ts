/** The Lambda of `POST /v1/responses`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { responsesEndpoint } from '../lib/operations/responses/endpoint.ts';
import { responsesRuntime } from '../lib/runtime/responses-runtime.ts';

const runtime = responsesRuntime();
runtime.startAhead('openai');

export const handler = serve(operationNamed('responses'), responsesEndpoint(runtime), runtime);
