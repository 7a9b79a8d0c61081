/** The Lambda of `POST /v1/chat/completions`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { chatEndpoint } from '../lib/operations/chat/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

const runtime = generationRuntime();
runtime.startAhead('openai');

export const handler = serve(operationNamed('chat-completions'), chatEndpoint(runtime), runtime);
