/** The Lambda of `POST /v1/completions`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { completionsEndpoint } from '../lib/operations/completions/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

const runtime = generationRuntime();
runtime.startAhead('openai');

export const handler = serve(operationNamed('completions'), completionsEndpoint(runtime), runtime);
