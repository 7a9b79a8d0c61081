/** The Lambda of `POST /v1/messages`. */
import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { messagesEndpoint } from '../lib/operations/messages/endpoint.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

const runtime = generationRuntime();
runtime.startAhead('anthropic');

export const handler = serve(operationNamed('messages'), messagesEndpoint(runtime), runtime);
