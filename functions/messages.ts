/** The Lambda of `POST /v1/messages`. */

import { operationNamed } from '../lib/core/operations.ts';
import { serve } from '../lib/http/serve.ts';
import { messagesEndpoint } from '../lib/operations/messages/endpoint.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { generationRuntime } from '../lib/runtime/generation-runtime.ts';

export function create(variables: Variables) {
  const runtime = generationRuntime(variables);
  runtime.startAhead('anthropic');

  return serve(operationNamed('messages'), messagesEndpoint(runtime), runtime);
}
