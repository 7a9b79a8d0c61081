/** The Lambda of `POST /v1/messages/count_tokens`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { countEndpoint } from '../lib/operations/messages/count/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

const runtime = generationRuntime();

export const handler = serve(operationNamed('messages-count-tokens'), countEndpoint(runtime), runtime);
