/** The Lambda of `POST /v1/chat/completions`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { chatEndpoint } from '../lib/operations/chat/endpoint.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

export function create(variables: Variables) {
  const runtime = generationRuntime(variables);
  runtime.startAhead('openai');

  return serve(operationNamed('chat-completions'), chatEndpoint(runtime), runtime);
}
